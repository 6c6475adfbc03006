export interface SdkHttpServer {
  readonly url: string;
  addTool(name: string): void;
  close(): Promise<void>;
}

export function startSdkHttpServer(): Promise<SdkHttpServer>;

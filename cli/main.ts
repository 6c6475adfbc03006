#!/usr/bin/env node
import { startCommand } from "./start-command.ts";

await startCommand();

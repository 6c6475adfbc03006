// This file must not compile: it shows that the check of the golden package can fail.
import { search_files } from "@codemode/servers/filesystem";

await search_files({ path: ".", patern: "*.ts" });

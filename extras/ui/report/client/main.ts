import { startTimeline } from "./timeline.ts";

for (const timeline of document.querySelectorAll(".timeline")) startTimeline(timeline);

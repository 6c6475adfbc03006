import type { ReportedCall, RunReport } from "../run-report.ts";

/** What a time line is drawn from. */
export type TimelineData = Pick<RunReport, "durationMs" | "calls" | "logs">;

/** Where everything goes. Horizontal places are percent of the width, vertical ones pixels. */
export interface TimelinePlan {
  ticks: readonly Tick[];
  bands: readonly Band[];
  /** Calls that are not drawn. */
  omitted: number;
}

export interface Tick {
  timeMs: number;
  x: number;
}

/** The calls of one server. */
export interface Band {
  serverId: string;
  height: number;
  bars: readonly Bar[];
}

export interface Bar {
  call: ReportedCall;
  x: number;
  y: number;
  width: number;
  height: number;
  label: BarLabel;
}

/** Where the name of a tool has room: in its bar, or beside it where nothing else is. */
export type BarLabel = "inside" | "after" | "before" | "none";

/** More calls make the page slow, and no reader inspects them one by one. */
export const MAX_DRAWN_CALLS = 1000;

const LANE = { height: 24, gap: 4, least: 4 };
const MAX_BAND_HEIGHT = 480;
const MAX_LANES = MAX_BAND_HEIGHT / LANE.least;
/** Below this many pixels there is no room for letters. */
const LEAST_LABELLED = 18;
/** Percent of the width: what is shorter could not be seen. */
const LEAST_WIDTH = 0.35;
/** How wide a letter and the margin of a label are, in percent of the narrowest plot with labels: no name is cut. */
const LETTER = 1.75;
const LABEL_MARGIN = 3;

export function planTimeline({ calls, durationMs, logs }: TimelineData): TimelinePlan {
  const drawn = calls.slice(0, MAX_DRAWN_CALLS);
  const endMs = lastMoment({ calls: drawn, durationMs, logs });
  const scale = (timeMs: number): number => toPercent(timeMs, endMs);
  return {
    ticks: timeTicks(endMs).map((timeMs) => ({ timeMs, x: scale(timeMs) })),
    bands: [...groupByServer(drawn)].map(([serverId, own]) => planBand(serverId, own, endMs)),
    omitted: calls.length - drawn.length,
  };
}

/** A file may name any number. */
const LATEST_MS = 1e12;

/** The last moment of the plot: the end of the run, or of the last call or log if later. */
export function lastMoment({ calls, durationMs, logs }: TimelineData): number {
  let endMs = Math.max(1, durationMs);
  for (const call of calls) endMs = Math.max(endMs, call.startMs, call.endMs ?? 0);
  for (const { timeMs } of logs) endMs = Math.max(endMs, timeMs);
  return Math.min(endMs, LATEST_MS);
}

/** A moment as percent of the width. */
export function toPercent(timeMs: number, endMs: number): number {
  return (100 * Math.min(Math.max(timeMs, 0), endMs)) / endMs;
}

/** In the order of their first calls. */
function groupByServer(calls: readonly ReportedCall[]): Map<string, ReportedCall[]> {
  const groups = new Map<string, ReportedCall[]>();
  for (const call of calls) {
    const group = groups.get(call.serverId);
    if (group === undefined) groups.set(call.serverId, [call]);
    else group.push(call);
  }
  return groups;
}

function planBand(serverId: string, calls: readonly ReportedCall[], endMs: number): Band {
  const shapes = calls.map((call) => {
    const x = Math.min(toPercent(call.startMs, endMs), 100 - LEAST_WIDTH);
    return { call, x, width: Math.max(toPercent(call.endMs ?? endMs, endMs) - x, LEAST_WIDTH) };
  });
  // Also what is drawn longer than it was must not lie on its neighbour.
  const { lanes, laneCount } = assignLanes(shapes);
  const laneHeight = Math.max(LANE.least, Math.min(LANE.height, Math.floor(MAX_BAND_HEIGHT / laneCount)));
  const gap = Math.min(LANE.gap, Math.ceil(laneHeight / 6));
  const height = laneHeight - gap;
  const places = shapes.map((shape, index) => ({ ...shape, lane: lanes[index] ?? 0 }));
  const room = roomBeside(places);
  const bars = places.map(({ call, x, width, lane }, index) => ({
    ...{ call, x, width, height },
    y: lane * laneHeight + gap / 2,
    label: height < LEAST_LABELLED ? ("none" as const) : placeLabel(labelOf(call), width, room[index]),
  }));
  return { serverId, height: laneCount * laneHeight, bars };
}

interface Room {
  before: number;
  after: number;
}

/** How much of a lane is free on both sides of each bar. */
function roomBeside(places: readonly { x: number; width: number; lane: number }[]): Room[] {
  const rooms: Room[] = [];
  const lastOf = new Map<number, number>();
  for (const [index, { x, width, lane }] of places.entries()) {
    const last = lastOf.get(lane);
    const left = last === undefined ? undefined : places[last];
    rooms.push({ before: left === undefined ? x : x - left.x - left.width, after: 100 - x - width });
    const leftRoom = last === undefined ? undefined : rooms[last];
    if (leftRoom !== undefined && left !== undefined) leftRoom.after = x - left.x - left.width;
    lastOf.set(lane, index);
  }
  return rooms;
}

/** A failed call is marked by more than its colour. */
export function labelOf({ toolName, outcome }: ReportedCall): string {
  return outcome === "failed" || outcome === "refused" ? `✕ ${toolName}` : toolName;
}

/** The side before a bar is taken only where nothing ends there, since its neighbour may have taken it. */
function placeLabel(text: string, width: number, room: Room | undefined): BarLabel {
  const needed = text.length * LETTER + LABEL_MARGIN;
  if (needed <= width) return "inside";
  if (room !== undefined && needed <= room.after) return "after";
  if (room !== undefined && needed * 2 <= room.before) return "before";
  return "none";
}

/**
 * Puts bars that overlap side by side: gives the lane of each, from 0, and how many lanes there are. They come in the order of their starts;
 * each goes to the first lane that is free, so bars which follow each other stand in one line.
 */
function assignLanes(bars: readonly { x: number; width: number }[]): { lanes: number[]; laneCount: number } {
  const freeFrom: number[] = [];
  const lanes = bars.map(({ x, width }, index) => {
    const free = freeFrom.findIndex((end) => end <= x);
    // Calls beyond the distinguishable lanes overlap.
    const lane = free >= 0 ? free : freeFrom.length < MAX_LANES ? freeFrom.length : index % MAX_LANES;
    freeFrom[lane] = Math.max(freeFrom[lane] ?? 0, x + width);
    return lane;
  });
  return { lanes, laneCount: Math.max(1, freeFrom.length) };
}

const STEPS = [1, 2, 5];

/** At most so many round times from 0 to the end, in milliseconds. */
export function timeTicks(endMs: number, most = 6): number[] {
  let step = 1;
  for (let power = 1; endMs / step > most; power *= 10) {
    step = STEPS.map((factor) => factor * power).find((candidate) => endMs / candidate <= most) ?? step;
  }
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_item, index) => index * step);
}

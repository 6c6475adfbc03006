// Compares the times of two cities.
import {
  convert_time,
  current_time,
  days_in_month,
  get_timestamp,
  get_week_year,
  relative_time,
} from "@codemode/servers/time";

const time = "2026-11-22 10:00:00";
const now = await current_time({ format: "YYYY-MM-DD HH:mm:ss", timezone: "Europe/Berlin" });
const converted = await convert_time({ sourceTimezone: "UTC", targetTimezone: "Asia/Tokyo", time });
const stamp = await get_timestamp({ time });
const days = await days_in_month({ date: "2028-02-01" });
const week = await get_week_year({ date: "2026-11-22" });
const ago = await relative_time({ time });

export default {
  now: now.includes("Europe/Berlin"),
  hours: /difference is (\d+) hours/.exec(converted)?.[1],
  seconds: Number(/(\d{10})/.exec(stamp)?.[1]),
  days: days.length,
  week: week.trim(),
  ago: ago.length,
};

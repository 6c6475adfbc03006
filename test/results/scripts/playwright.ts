// Fills in a form of a local page, and reads what the page makes of it.
import {
  browser_click,
  browser_close,
  browser_console_messages,
  browser_evaluate,
  browser_fill_form,
  browser_hover,
  browser_navigate,
  browser_navigate_back,
  browser_network_requests,
  browser_press_key,
  browser_resize,
  browser_select_option,
  browser_snapshot,
  browser_tabs,
  browser_take_screenshot,
  browser_type,
  browser_wait_for,
} from "@codemode/servers/playwright";

const page = String(globalThis.__codemode_input__.page);
await browser_resize({ width: 800, height: 600 });
const arrived = await browser_navigate({ url: page });
const title = /Page Title: (.*)/.exec(arrived)?.[1];

const snapshot = await browser_snapshot();
const target = (name: string): string => new RegExp(`"${name}".*\\[ref=(\\w+)\\]`).exec(snapshot)?.[1] ?? "";
await browser_fill_form({
  fields: [{ name: "Name", target: target("Name"), type: "textbox", value: "Ada" }],
});
await browser_type({ element: "Note", target: target("Note"), text: "hello" });
await browser_select_option({ element: "Size", target: target("Size"), values: ["large"] });
await browser_hover({ element: "Order", target: target("Order") });
await browser_click({ element: "Order", target: target("Order") });
await browser_press_key({ key: "Escape" });
await browser_wait_for({ text: "Thanks" });

const evaluated = await browser_evaluate({ function: "() => document.querySelector('output').textContent" });
const messages = await browser_console_messages();
const requests = await browser_network_requests();
const tabs = await browser_tabs({ action: "list" });
const picture = await browser_take_screenshot({ type: "png" });
const image = picture.content.find(({ type }) => type === "image");
await browser_navigate({ url: "about:blank" });
const back = await browser_navigate_back();
await browser_close();

export default {
  title,
  answer: evaluated.includes("Ada, large"),
  logged: messages.includes("ordered"),
  requests: requests.split("\n").length > 0,
  tabs: tabs.includes("(current)"),
  picture: image?.mimeType,
  back: back.includes(page),
};

// Sums, a picture, links and the weather.
import {
  echo,
  get_annotated_message,
  get_env,
  get_resource_links,
  get_resource_reference,
  get_structured_content,
  get_sum,
  get_tiny_image,
  gzip_file_as_resource,
  trigger_long_running_operation,
} from "@codemode/servers/everything";

const sum = await get_sum({ a: 19, b: 23 });
const echoed = await echo({ message: sum });
const total = Number(/is (\d+)/.exec(echoed)?.[1]);

const picture = await get_tiny_image();
const image = picture.content.find(({ type }) => type === "image");
const { content } = await get_resource_links({ count: 3 });
const links = content.filter(({ type }) => type === "resource_link").map(({ uri }) => uri);
const reference = await get_resource_reference({ resourceType: "Text", resourceId: links.length });
const message = await get_annotated_message({ messageType: "error", includeImage: true });
const zipped = await gzip_file_as_resource({
  name: "a.txt.gz",
  data: "data:text/plain,hello",
  outputType: "resourceLink",
});

const weather = await get_structured_content({ location: "Chicago" });
const environment = JSON.parse(await get_env());
const said = await trigger_long_running_operation({ duration: 1, steps: 2 });

export default {
  total,
  mimeType: image?.mimeType,
  links,
  blocks: [reference, message, zipped].map((result) => result.content.map(({ type }) => type)),
  warm: weather.temperature > 20 && weather.humidity < 80,
  weather: weather.conditions.toLowerCase(),
  hasPath: Object.hasOwn(environment, "PATH"),
  said: said.toUpperCase(),
};

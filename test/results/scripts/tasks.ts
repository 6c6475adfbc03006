// Plans a request, works through it, and approves it.
import {
  add_tasks_to_request,
  approve_request_completion,
  approve_task_completion,
  delete_task,
  get_next_task,
  list_requests,
  mark_task_done,
  open_task_details,
  request_planning,
  update_task,
} from "@codemode/servers/tasks";

const tasks = ["Collect", "Write", "Review"].map((title) => ({ title, description: `${title} the report` }));
const planned = JSON.parse(await request_planning({ originalRequest: "Write the report", tasks }));
const { requestId } = planned;
const more = JSON.parse(
  await add_tasks_to_request({ requestId, tasks: [{ title: "Print", description: "On paper" }] }),
);
const printing = more.newTasks.find(({ title }) => title === "Print");
if (printing !== undefined) await delete_task({ requestId, taskId: printing.id });
const [, writing] = planned.tasks;
if (writing !== undefined) await update_task({ requestId, taskId: writing.id, description: "In ten pages" });

const done: string[] = [];
for (let next = JSON.parse(await get_next_task({ requestId })); next.task !== undefined;) {
  const { id } = next.task;
  const marked = JSON.parse(await mark_task_done({ requestId, taskId: id, completedDetails: "done" }));
  await approve_task_completion({ requestId, taskId: id });
  const details = JSON.parse(await open_task_details({ taskId: id }));
  done.push(`${details.task.title} ${details.task.completedDetails} ${marked.status}`);
  next = JSON.parse(await get_next_task({ requestId }));
}
const approved = JSON.parse(await approve_request_completion({ requestId }));
const { requests } = JSON.parse(await list_requests());

export default { done, status: approved.status, open: requests.filter((one) => one.approvedTasks < one.totalTasks) };

/** The task that the script of the trial does, as a person would ask an agent. */
export const EXAMPLE_TASK = "Which enterprise customers have waited more than 14 days? Tell their owners.";

/** What an agent would write for it. */
export const EXAMPLE_SCRIPT = `import { list_tickets } from "@codemode/servers/tickets";
import { get_customer } from "@codemode/servers/customers";
import { send_message } from "@codemode/servers/messages";

const pages = await Promise.all([1, 2, 3].map((page) => list_tickets({ page })));
const late = pages.flatMap(({ tickets }) => tickets).filter(({ waitingDays }) => waitingDays > 14);
const ids = [...new Set(late.map(({ customer }) => customer))];
const customers = await Promise.all(ids.map((id) => get_customer({ id })));
const enterprise = customers.filter(({ plan }) => plan === "enterprise");
for (const { name, owner } of enterprise) await send_message({ to: owner, text: \`\${name} is waiting\` });
export default enterprise.map(({ name, owner }) => \`\${name}: \${owner} knows\`);
`;

import {createSession, getSession, listSessions} from "./orval";
import {headers, report, title} from "./agreement";

async function main(): Promise<void> {
  const made = await createSession(
    {
      name: title,
      recipients: [{key: "client", name: "Ada King", email: "ada@example.com"}],
      files: [{type: "blocks", document: {format: "blocks", title, blocks: [
        {type: "signatureBlock", label: "For the client", recipient: "client"},
      ]}}],
      metadata: {customer: "northwind"},
    },
    {headers},
  );
  if (made.status !== 200) throw new Error(made.data.message);
  const listed = await listSessions({status: ["draft"], metadata: ["customer:northwind"]}, {headers});
  const missing = await getSession("17", {headers});
  report(
    made.data.sessionId,
    listed.status === 200 ? listed.data.sessions : undefined,
    missing.status === 200 ? undefined : missing.data.error,
  );
}
void main();

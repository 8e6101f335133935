import {createSession, getSession, listSessions, uploadImage} from "./hey-api";
import {client} from "./hey-api/client.gen";
import {baseUrl, headers, PIXEL, report, title} from "./agreement";

async function main(): Promise<void> {
  client.setConfig({baseUrl, headers});
  const made = await createSession({
    throwOnError: true,
    body: {
      name: title,
      recipients: [{key: "client", name: "Ada King", email: "ada@example.com"}],
      files: [{type: "blocks", document: {format: "blocks", title, blocks: [
        {type: "signatureBlock", label: "For the client", recipient: "client"},
      ]}}],
      metadata: {customer: "northwind"},
    },
  });
  await uploadImage({throwOnError: true, body: {fileName: "pixel.png", data: PIXEL}});
  const listed = await listSessions({query: {status: ["draft"], metadata: ["customer:northwind"]}});
  const missing = await getSession({path: {sessionId: "17"}});
  report(made.data.sessionId, listed.data?.sessions, missing.error?.error);
}
void main();

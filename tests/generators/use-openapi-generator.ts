import {Configuration, ResponseError, SessionsApi} from "./typescript-fetch";
import {baseUrl, headers, report, title} from "./agreement";

async function main(): Promise<void> {
  const configuration = new Configuration({basePath: baseUrl, accessToken: headers.Authorization});
  const sessions = new SessionsApi(configuration);
  const made = await sessions.createSession({
    sessionCreate: {
      name: title,
      recipients: [{key: "client", name: "Ada King", email: "ada@example.com"}],
      files: [{type: "blocks", document: {format: "blocks", title, blocks: [
        {type: "signatureBlock", label: "For the client", recipient: "client"},
      ]}}],
      metadata: {customer: "northwind"},
    },
  });
  const listed = await sessions.listSessions({status: ["draft"], metadata: ["customer:northwind"]});
  const code = await sessions.getSession({sessionId: "17"}).then(
    () => undefined,
    async (error: unknown) => (error instanceof ResponseError ? String((await error.response.json()).error) : undefined),
  );
  report(made.sessionId, listed.sessions, code);
}
void main();

import createClient from "openapi-fetch";
import type {components, paths} from "./openapi-typescript";
import {baseUrl, headers, report, title} from "./agreement";

type Schemas = components["schemas"];
const document: Schemas["BlockDocument"] = {
  format: "blocks",
  title,
  blocks: [
    {type: "paragraph", text: "The consultant advises the client."},
    {type: "field", fieldType: "text", label: "Purchase order", recipient: "client"},
    {type: "field", fieldType: "checkbox", label: "Agreed", recipient: "client"},
    {type: "signatureBlock", label: "For the client", recipient: "client"},
  ],
};
const body: Schemas["SessionCreate"] = {
  name: title,
  recipients: [{key: "client", name: "Ada King", email: "ada@example.com"}],
  files: [{type: "blocks", document}],
  metadata: {customer: "northwind"},
};

async function main(): Promise<void> {
  const client = createClient<paths>({baseUrl, headers});
  const made = await client.POST("/api/v1/Session", {body});
  if (made.error) throw new Error(made.error.message);
  const query = {status: ["draft" as const], metadata: ["customer:northwind"]};
  const listed = await client.GET("/api/v1/Sessions", {params: {query}});
  const missing = await client.GET("/api/v1/Session/{sessionId}", {params: {path: {sessionId: "17"}}});
  const code: Schemas["ErrorCode"] | undefined = missing.error?.error;
  report(made.data.sessionId, listed.data?.sessions, code);
}
void main();

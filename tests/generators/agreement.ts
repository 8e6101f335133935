export const baseUrl = process.env["BASE_URL"] ?? "";
export const accessToken = process.env["ACCESS_TOKEN"] ?? "";
export const headers = {Authorization: `Bearer ${accessToken}`};
export const title = "Consulting agreement";

export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function report(made: string, listed: {sessionId: string}[] | undefined, code: string | undefined): void {
  const isListed = (listed ?? []).some((session) => session.sessionId === made);
  console.log(JSON.stringify({made, isListed, code}));
}

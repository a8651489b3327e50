// Asks a person before a deployment, follows the question until it is decided, and acts on that.
//
//   export HOLDPOINT_TOKEN=…      # what `holdpoint token create deploy --may ask` printed
//   node ask.ts 2.4               # Node 22.18 or newer, which runs TypeScript as it is

const page = process.env.HOLDPOINT_URL ?? "http://127.0.0.1:4653";

interface Told {
  status: "pending" | "accepted" | "declined" | "cancelled" | "timed_out" | "unreachable" | "invalid" | "withdrawn";
  askId: string;
  proceed: boolean;
  nextStep: string;
  values?: Record<string, unknown>;
  answeredBy?: string;
  reason?: string;
  url?: string;
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(page + path, {
    method,
    headers: { Authorization: `Bearer ${process.env.HOLDPOINT_TOKEN}`, "Content-Type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  return answer;
}

/** What is told of a question, as it happens: that it waits, then how it ended. */
async function* follow(askId: string): AsyncGenerator<Told> {
  const { body } = await call("GET", `/api/asks/${askId}/events`);
  let read = "";
  for await (const text of body!.pipeThrough(new TextDecoderStream())) {
    read += text;
    for (let end = read.indexOf("\n\n"); end >= 0; end = read.indexOf("\n\n")) {
      const data = read.slice(0, end).split("\n").find((line) => line.startsWith("data: "));
      read = read.slice(end + 2);
      if (data) yield JSON.parse(data.slice("data: ".length));
    }
  }
}

/** Asks, and waits until somebody has decided or the time is up. */
async function ask(question: object): Promise<Told> {
  // With a key, the same request again is the same question.
  const asked = await call("POST", "/api/asks", question, { "Idempotency-Key": crypto.randomUUID() });
  const { askId, url }: Told = await asked.json();
  console.error("Waiting for a person:", url ?? "`holdpoint inbox`");
  for (;;) {
    try {
      for await (const told of follow(askId)) if (told.status !== "pending") return told;
    } catch (lost) {
      // The page is moving to another process, or the network is away; what the page itself refuses is final.
      if (!(lost instanceof TypeError)) throw lost;
      console.error("The page cannot be reached, trying again:", lost.message);
    }
    await new Promise((wait) => setTimeout(wait, 1000));
  }
}

const version = process.argv[2] ?? "the next version";
const told = await ask({
  message: `Deploy **${version}** to production?`,
  fields: [
    { name: "deploy", kind: "confirm", title: "Deploy it?" },
    { name: "when", kind: "choice", title: "When?", options: ["now", "tonight"] },
  ],
  timeoutSeconds: 3600,
});
// Nothing but `proceed` is a yes: not a status, not a value, not silence.
if (told.proceed) {
  console.log(`Deploying ${version} ${told.values?.when}, as ${told.answeredBy} decided.`);
} else {
  console.error(`Not deployed (${told.status}). ${told.reason ?? told.nextStep}`);
  process.exitCode = 1;
}

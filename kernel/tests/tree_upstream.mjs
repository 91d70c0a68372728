// Drives upstream pi's SessionManager: node tree_upstream.mjs <package dir> write|read|continue|directory <argument>
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [packageDir, action, argument] = process.argv.slice(2);
const module = pathToFileURL(join(packageDir, "dist", "core", "session-manager.js"));
const { SessionManager, getDefaultSessionDir } = await import(module.href);

const user = (text) => ({ role: "user", content: text, timestamp: Date.now() });
const assistant = (text) => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "openai-completions",
  provider: "local",
  model: "small",
  usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost: { total: 0 } },
  stopReason: "stop",
  timestamp: Date.now(),
});

function write(directory) {
  const session = SessionManager.create("/home/me/project", directory);
  session.appendModelChange("local", "small");
  session.appendThinkingLevelChange("high");
  const question = session.appendMessage(user("Grüße {\"a\": [1, 2}\n\u2028 and \ud83d\ude00 and half \ud83d"));
  const answer = session.appendMessage(assistant("Yes"));
  session.appendLabelChange(question, "start");
  session.appendLabelChange(answer, "gone soon");
  session.appendCustomEntry("plugin-state", { count: 1, nested: { type: "message", id: "no" } });
  session.appendCustomMessageEntry("plugin-note", "Noted", true, { why: "test" });
  session.appendMessage(user("second thoughts"));
  session.appendMessage(assistant("Fine"));
  session.branch(answer);
  session.appendLabelChange(answer, undefined);
  session.appendMessage(user("another way"));
  session.appendMessage(assistant("Also fine"));
  session.appendCompaction("Talked about ways", question, 1234, { readFiles: [] }, false);
  session.branchWithSummary(answer, "Tried another way");
  session.appendSessionInfo("Ways");
  session.appendUsage?.("cache_warm", "local", "small", { input: 0, output: 0, totalTokens: 0 });
  return read(session.getSessionFile());
}

function read(file) {
  const session = SessionManager.open(file);
  const entries = session.getEntries();
  const labels = entries.map((entry) => [entry.id, session.getLabel(entry.id)]).filter(([, label]) => label);
  return {
    file,
    header: session.getHeader(),
    leaf: session.getLeafId(),
    path: session.getBranch().map((entry) => entry.id),
    name: session.getSessionName() ?? null,
    labels: Object.fromEntries(labels),
    entries: entries.map((entry) => ({ ...entry, parentId: entry.parentId ?? null })),
    context: session.buildSessionContext().messages.map((message) => message.role),
  };
}

function continueSession(file) {
  const session = SessionManager.open(file);
  session.appendMessage(user("from upstream"));
  session.appendMessage(assistant("to the tree"));
  return read(file);
}

const actions = {
  write,
  read,
  continue: continueSession,
  list: (directory) => SessionManager.list("/home/me/project", directory),
  directory: (cwds) => JSON.parse(cwds).map((cwd) => getDefaultSessionDir(cwd, join(packageDir, "no-agent"))),
};
console.log(JSON.stringify(await actions[action](argument)));

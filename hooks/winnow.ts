// winnow's mod: it carries tool results to the local daemon and the answers
// back. It decides nothing, and whatever goes wrong, the original row stands.
//
// The host allows `$` only as `$.noun.event(...)` inside a hook, and a hook only
// as a function declared at the top of this file. So there is one hook, `carry`:
// it wraps the calls on `$` in a Host, and everything else is plain functions.
//
// The wire is described in internal/api; names here follow it.
import type { EngineInterface, Register } from 'claude-code'

type Json = Record<string, any>
type Row = { text: string; door: string; origin: string }
type Call = { id: string; tool: string; args: string; path: string; since: boolean }
type Daemon = { socket: string; port: number; token: string; pid: number; started: string; mode: string }

/** What the mod knows of one conversation: the main one, or one subagent's. */
type Loop = {
  id: string
  /** The newest rows that may hold a request, oldest first. */
  rows: Row[]
  /** The assistant's newest text since the last of rows. */
  assistant: string
  /** The newest calls, answered ones included, oldest first. */
  calls: Call[]
  /** The inputs of calls whose result has not come yet, by id. */
  open: Map<string, unknown>
  /** Milliseconds that the present assistant message's results have waited. */
  waited: number
  /** The part of it that they waited for answers to questions. */
  questioned: number
  /** Counts the messages with calls: so often, at least, the loop was read. */
  turn: number
  /** The model that reads this loop. */
  model: string
  /** The rows of the newest results that the daemon was shown, by call, and the message of each. */
  posted: Map<string, { row: string; message: number }>
  /** Counts the assistant's messages. */
  message: number
  /** Whether this loop's model was offered the recall tool. */
  offered: boolean
  /** The daemon that was told so (see identity), "" for none. */
  told: string
  /** Settles when earlier rows have been read in. */
  ready: Promise<void>
}

type Host = {
  bin: string
  dirEnv: () => Promise<string | undefined>
  homeEnv: () => Promise<string | undefined>
  read: (path: string) => Promise<string>
  run: (argv: string[], timeoutMs: number) => Promise<{ exitCode: number; stderr?: string }>
  fetch: (url: string, init: Json) => Promise<{ ok: boolean; status: number; text: string }>
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => Promise<number>
  session: () => Promise<string>
  cwd: () => Promise<string>
  version: () => Promise<{ version: string }>
  root: string
  info: () => Promise<Json>
  messages: (agentId?: string) => Promise<any>
  since: (row: string, agentId?: string) => Promise<any>
  agents: () => Promise<Json[]>
  register: (spec: any) => Promise<{ tool: string }>
  complete: (request: any) => Promise<any>
  askOffer: (agentId?: string) => void
  tell: (text: string) => void
  debug: (text: string) => void
}

// Times, in milliseconds.
const FETCH_MS = 2500 // one result
const MESSAGE_MS = 3500 // all results of one assistant message: their rows wait one after another
const QUESTION_MS = 4000 // one answer of the session's small model
const ROWS_MS = 5000 // all of it: rows of one message, answers included
const SLACK_MS = 200 // until an answer, or that there is none, has come from there
const GIVE_UP_MS = 400 // of that, for the local result where no answer came
const LEAST_MS = 50 // below this there is no point in asking
const RECALL_MS = 4000 // a page of hidden lines; twice, where the daemon hung
const SMALL_MS = 1000 // offers, live keys, status
const START_MS = 2000 // a session start never waits longer for the daemon
const REGISTER_MS = 1500
const UNSTICK_MS = 2000
const RUN_MS = 5000 // a child of ours is ended after this
const OFF_MS = 60_000
const REVIVE_MS = [1000, 10_000, 60_000] // least time between attempts to start the daemon

// Bounds on what is kept.
const MIN_CHARS = 1500 // the daemon's own least; shorter results are not posted
const EARLY_CHARS = 8000 // judged ahead of its row, where other rows come first
const MAX_LOOPS = 32
const MAX_ROWS = 6
const MAX_CALLS = 60
const MAX_ARGS = 1000
const MAX_POSTED = 40
const MAX_ROW_CHARS = 8000
const MAX_SEEN = 4096
const PAST_ROWS = 400

/** The recall tool as the host names it: by the plugin's name in plugin.json. */
const TOOL = 'mcp__winnow__recall'

/** Tools whose results are never judged, so never posted. Their calls are remembered. */
const SKIP = /^(Agent|Skill|ToolSearch|SendMessage|Monitor|TodoWrite|Task.*|Edit|MultiEdit|Write|NotebookEdit|(Enter|Exit)PlanMode|AskUserQuestion|KillShell)$/

/** Tools whose input may carry a marker: it goes to a model, never to a file. */
const MAY_CARRY = /^(Agent|Task|SendMessage)$/

/** Origins of rows that are nobody's request. */
const NO_REQUEST = /^(task-notification|engine|hook|observer.*|tool|model)$/

/** Origins of words that surely ask for something, where they are delivered into a running turn. */
const ASKS = /^(composer|unclassified|coordinator|bridge|sdk)$/

const HALF_PAIR = /\p{Surrogate}/u
const HALF_PAIRS = /\p{Surrogate}/gu

const LATE = Symbol('late')
const GONE = Symbol('gone')
const NO_BINARY = 127 // what the launcher says when it finds none

const RECALL = {
  name: 'recall',
  isDeferred: false,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['key'],
    properties: {
      key: { type: 'string', description: 'The 24 hex digits of the marker, or the whole marker.' },
      lines: { type: 'string', description: 'Part of the hidden lines, by the numbers that the marker shows: "120-180" or "120", or as a "next:" note gave it.' },
      pattern: { type: 'string', description: 'An RE2 regular expression: only the hidden lines that match come back, with their numbers.' },
    },
  },
  description: `Gives back lines of a tool result that winnow hid from this conversation, byte for byte.

Where a tool result holds a line such as
  <<ccr:0123456789abcdef01234567 212_lines_offloaded>> lines 41-252: 9 functions of parser.go [hidden by winnow, ...]
winnow, a local filter, hid those lines because the present task did not seem to need them. The command ran and returned them in full; the file on disk is whole and unchanged. A marker is never a sign of truncation, corruption, a missing file or a failed command, and it is not part of the output. The digest after the colon says what was hidden. Line numbers around a marker are true: in a file they are the file's own.

Call recall when the hidden part may matter: the digest names what you look for, you are about to edit, quote, count or summarise the hidden lines, you need to be certain that something is absent, or the visible lines do not explain a failure. Do not call it out of habit; what the task needs is usually visible.

Arguments: key is the 24 hex digits (the whole marker works too). lines="41-90" gives a part, numbered as the marker shows; pattern="func .*Parse" gives only matching lines with their numbers; neither gives everything, in pages (a note after the page says how to get the next). Prefer lines or pattern for large gaps. Recall asks no permission, runs nothing again and changes nothing. It is better than repeating the command or reading the file again, which may be filtered again or give another answer.

If a key is not known or has expired, the answer says so and what to do instead: run the command again, or read the file with offset and limit. Do not retry the same key.

Never write a marker into a file, a command or another tool's input: it stands for lines that only this conversation can recall. Recall the lines first and use them. Such calls are refused. In a message to a subagent, name the file or command instead of the marker.`,
}

const NO_ANSWER =
  'winnow could not get these lines: its daemon does not answer. Do not retry this key now. ' +
  'Run the command again with a narrower output, or read the file with offset and limit.'

// Everything below lives as long as the session's process or until a reload.
const loops = new Map<string, Loop>()
const recalled = new Map<string, Json[]>() // pages on their way to their row, by tool_use_id
const seenKeys = new Set<string>()
const shown = new Set<string>()
const asked = new Map<string, Promise<Json>>() // what questions come to, by ticket
const state = {
  session: '',
  greeted: '', // the session that the daemon last heard of
  transcript: '',
  cwd: '',
  mode: '',
  seen: false, // whether the daemon keeps track of what loops are shown
  second: false, // whether the daemon may have questions for the session's small model
  registering: false,
  registered: false, // whether the recall tool is; before that nothing is changed or refused
  dir: '',
  daemon: undefined as Daemon | undefined,
  offUntil: 0,
  reviveAt: 0,
  revived: 0,
}

async function carry($: EngineInterface, e: any, next: any): Promise<any> {
  const host: Host = {
    bin: `${$.plugin.root}/bin/winnow`,
    dirEnv: () => $.env.get('WINNOW_DIR'),
    homeEnv: () => $.env.get('HOME'),
    read: path => $.fs.read(path) as Promise<string>,
    run: (argv, timeoutMs) => $.process.run(argv, { timeoutMs }),
    fetch: (url, init) => $.http.fetch(url, init),
    sleep: (ms, signal) => $.clock.sleep(ms, { signal }),
    now: () => $.clock.now(),
    session: () => $.session.id(),
    cwd: () => $.session.cwd(),
    version: () => $.session.version(),
    root: $.plugin.root,
    info: () => $.session.info(),
    messages: agentId => $.session.messages(agentId ? { agentId, last: PAST_ROWS } : { last: PAST_ROWS }),
    since: (row, agentId) => $.session.messages(agentId ? { agentId, after: row } : { after: row }),
    agents: () => $.agent.list(),
    register: spec => $.tool.register(spec),
    complete: request => $.model.complete(request),
    askOffer: agentId => $.ui.invalidate('tool.offer', agentId ? { agentId } : undefined),
    tell: text => $.ui.log(text),
    debug: text => $.ui.log(text, { to: 'debug' }),
  }
  // `next` stands outside `safe`: called twice, it would keep a row twice.
  switch (next.event) {
    case 'session.start':
      await safe(host, undefined, () => start(host))
      return next(e)
    case 'session.append':
      return next(await safe(host, e, () => append(host, e)))
    case 'classic.PostToolUse':
      await safe(host, undefined, () => early(host, e))
      return next(e)
    case 'tool.offer': {
      const answer = await next(e)
      if (e.for !== 'call' && answer?.isOffered) await safe(host, undefined, () => offered(host, e.agentId))
      return answer
    }
    case 'tool.check':
      return (await safe(host, undefined, () => guard(host, e))) ?? next(e)
    case 'tool.call':
      return { result: await safe(host, NO_ANSWER, () => recall(host, e)) }
  }
  return next(e)
}

// The tool's name is spelled out: a matcher that the host cannot read beforehand
// (a constant, a RegExp) sends every tool's calls through this module, which
// would cost the person live output and the move to the background.
export const register: Register = on => {
  on('session.start', carry)
  on('session.append', { door: ['prompt', 'delivery', 'response', 'tool-result'] }, carry)
  on('classic.PostToolUse', { tool_name: 'Bash' }, carry)
  on('tool.offer', { tool: 'mcp__winnow__recall' }, carry)
  on('tool.check', carry)
  on('tool.call', { tool: 'mcp__winnow__recall' }, carry)
}

async function safe<T>(host: Host, otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    host.debug(`winnow: ${err}`)
    return otherwise
  }
}

// --- session start -------------------------------------------------------

async function start(host: Host): Promise<void> {
  const end = (await host.now()) + START_MS
  await revive(host, end, true)
  const left = Math.min(SMALL_MS, end - (await host.now()))
  const reply = left < LEAST_MS ? {} : fields(await ask(host, '/v1/hello', await hello(host), left))
  state.second = reply.second === true
  state.greeted = await host.session()
  state.mode = text(reply.mode) || state.daemon?.mode || ''
  // A session that already holds markers keeps its recall tool in any mode.
  if (state.mode !== 'active' && !(await holdsMarkers(host))) return
  const registering = registerTool(host)
  // A session run as an agent without our tool makes register wait for eight seconds.
  if (!(await host.info()).agentType) await race(host, registering, REGISTER_MS)
  // On a resume nothing is asked again by itself, and the answer of then is unknown here.
  host.askOffer()
}

async function greetAgain(host: Host): Promise<void> {
  if (!state.daemon || state.greeted === state.session || (await host.now()) < state.offUntil) return
  state.greeted = state.session
  await race(host, send(host, state.daemon, '/v1/hello', await hello(host)), SMALL_MS)
}

/** Who we are: `winnow doctor` tells by it whether sessions load the mod. */
async function hello(host: Host): Promise<Json> {
  const client = await safe(host, '', async () => text((await host.version()).version))
  return { session: await host.session(), client, root: host.root }
}

async function holdsMarkers(host: Host): Promise<boolean> {
  const past = await host.messages()
  if (!Array.isArray(past)) return false
  return past.some(m => m.toolResults?.some((r: Json) => keysIn(text(r.text)).length > 0))
}

async function registerTool(host: Host): Promise<void> {
  if (state.registering || state.registered) return
  state.registering = true
  try {
    // Under another name our hooks would not hear its calls.
    state.registered = (await host.register(RECALL)).tool === TOOL
  } catch (err) {
    host.debug(`winnow: register recall: ${err}`)
  }
  state.registering = false
}

/** Takes the mode of a reply; active brings the tool from the next request on. */
function heed(host: Host, { mode, second }: Json): void {
  if (!text(mode)) return
  state.second = second === true
  state.mode = text(mode)
  if (mode === 'active') void registerTool(host)
}

// --- loops: what the daemon needs to know of a conversation ---------------

async function loopOf(host: Host, agentId?: string): Promise<Loop> {
  const session = await host.session()
  if (session !== state.session) {
    loops.clear() // after /clear, too
    Object.assign(state, { session, transcript: '', cwd: '' })
    await safe(host, undefined, () => readSession(host))
    // /clear raises no start; the new session has the mod all the same.
    if (state.greeted) await safe(host, undefined, () => greetAgain(host))
  }
  const id = agentId ?? 'main'
  let loop = loops.get(id)
  if (!loop) {
    loop = { id, rows: [], assistant: '', calls: [], open: new Map(), waited: 0, questioned: 0, turn: 0, model: '', posted: new Map(), message: 0, offered: false, told: '', ready: Promise.resolve() }
    loop.ready = safe(host, undefined, () => readPast(host, loop!, agentId))
  }
  loops.delete(id)
  loops.set(id, loop)
  trim(loops, MAX_LOOPS)
  await loop.ready
  return loop
}

/** What lets the daemon complete a task that the rows do not hold. */
async function readSession(host: Host): Promise<void> {
  state.cwd = await host.cwd()
  state.transcript = text((await host.info()).transcriptPath)
}

/** Fills a loop that this process sees for the first time: a reload, a resume, a fork. */
async function readPast(host: Host, loop: Loop, agentId?: string): Promise<void> {
  const past = await host.messages(agentId)
  for (const m of Array.isArray(past) ? past : []) readMessage(loop, m)
  if (!agentId) return
  const self = (await host.agents()).find(a => a.id === agentId)
  if (self?.type === 'fork') return inherit(loop, loops.get(self.parentId ?? 'main'))
  if (loop.rows.length > 0 && state.registered && !loop.offered) host.askOffer(agentId)
}

function readMessage(loop: Loop, m: Json): void {
  for (const r of m.toolResults ?? []) loop.open.delete(r.tool_use_id)
  if (m.role === 'user') {
    if (text(m.text).trim()) noteRow(loop, text(m.text), 'messages', '')
    return
  }
  if (text(m.text).trim()) loop.assistant = tail(m.text)
  for (const u of m.toolUses ?? []) noteCall(loop, u.tool_use_id, u.tool, u.input)
}

/** A fork goes on from its parent's conversation and is shown its parent's tools. */
function inherit(loop: Loop, parent?: Loop): void {
  if (!parent || parent === loop) return
  loop.offered = parent.offered
  if (loop.rows.length > 0) return
  loop.rows = [...parent.rows]
  loop.assistant = parent.assistant
  loop.calls = parent.calls.map(c => ({ ...c }))
}

function noteRow(loop: Loop, words: string, door: string, origin: string): void {
  loop.rows.push({ text: words.slice(0, MAX_ROW_CHARS), door, origin })
  if (loop.rows.length > MAX_ROWS) loop.rows.shift()
  // In doubt a call stays "since the request": that only keeps more.
  if (door === 'delivery' ? !ASKS.test(origin) : /^<(?!fork-boilerplate)/.test(words)) return
  loop.assistant = ''
  for (const c of loop.calls) c.since = false
}

function noteRequest(loop: Loop, e: any): void {
  const origin = text(e.origin?.kind)
  const words = unframed(textsOf(e.message.content).join('\n'))
  if (!words.trim() || NO_REQUEST.test(origin)) return
  // The engine's own nudges are rows that the person did not type; a message to a
  // running subagent is one, too, and is its newest task.
  if (e.message.isMeta && origin === 'unclassified') return
  noteRow(loop, words, e.door, origin)
  loop.waited = loop.questioned = 0
}

/** Takes off the frame that the client puts around words for a working agent. */
function unframed(s: string): string {
  const inner = s.replace(/^<system-reminder>\n?(?=The \w+ sent a )/, '')
  const body = inner.replace(/^The \w+ sent a (new )?message while you were working:\n/, '')
  if (body === s) return s
  return body
    .replace(/\n?<\/system-reminder>\s*$/, '')
    .replace(/\n\n(This is how Claude Code surfaces|Address this before completing)[^\n]*\s*$/, '')
}

function noteResponse(loop: Loop, e: any): void {
  // With every earlier call answered, this begins another assistant message.
  if (loop.open.size === 0) {
    loop.waited = loop.questioned = 0
    loop.message++
  }
  loop.model = text(e.origin?.model) || loop.model
  for (const block of e.message.content) {
    if (block.type === 'text' && text(block.text).trim()) loop.assistant = tail(block.text)
    if (block.type !== 'tool_use') continue
    if (loop.open.size === 0) loop.turn++
    noteCall(loop, block.id, block.name, block.input)
  }
}

function noteCall(loop: Loop, id: string, tool: string, input: any): void {
  if (loop.calls.some(c => c.id === id)) return
  const path = text(input?.file_path) || text(input?.notebook_path)
  loop.calls.push({ id, tool, args: argsOf(input), path, since: true })
  if (loop.calls.length > MAX_CALLS) loop.calls.shift()
  loop.open.set(id, input)
  trim(loop.open, MAX_CALLS)
}

/** Names a call's arguments: equal strings are equal arguments. */
function argsOf(input: unknown): string {
  const json = JSON.stringify(input, (_, v) => (v && typeof v === 'object' && !Array.isArray(v) ? sorted(v) : v)) ?? ''
  return json.length <= MAX_ARGS ? json : `${json.length}:${hash(json)}`
}

function sorted(o: Json): Json {
  return Object.fromEntries(Object.keys(o).sort().map(k => [k, o[k]]))
}

/** Two FNV-1a runs over UTF-16 units: enough to tell calls of one loop apart. */
function hash(s: string): string {
  let a = 0x811c9dc5
  let b = 0x1000193
  for (let i = 0; i < s.length; i++) {
    a = Math.imul(a ^ s.charCodeAt(i), 0x01000193)
    b = Math.imul(b ^ s.charCodeAt(i), 0x85ebca6b)
  }
  return (a >>> 0).toString(16) + (b >>> 0).toString(16)
}

// --- results -------------------------------------------------------------

async function append(host: Host, e: any): Promise<any> {
  const at = loops.get(e.agentId ?? 'main')
  if (at && e.door === 'response') {
    noteResponse(at, e) // most rows are these: no call on the host for them
    return e
  }
  const loop = await loopOf(host, e.agentId)
  if (e.door === 'response') noteResponse(loop, e)
  else if (e.door === 'tool-result') return result(host, loop, e)
  else noteRequest(loop, e)
  return e
}

async function result(host: Host, loop: Loop, e: any): Promise<any> {
  const content: any[] = []
  for (const block of e.message.content) {
    content.push(block.type === 'tool_result' ? await answer(host, loop, block, text(e.uuid)) : block)
  }
  const same = content.every((block, i) => block === e.message.content[i])
  return same ? e : { ...e, message: { ...e.message, content } }
}

async function answer(host: Host, loop: Loop, block: any, row: string): Promise<any> {
  const id = block.tool_use_id
  const pages = recalled.get(id)
  const known = loop.open.has(id)
  const input = loop.open.get(id)
  recalled.delete(id)
  loop.open.delete(id)
  const call = loop.calls.find(c => c.id === id)
  if (pages) {
    if (call && state.seen) await safe(host, undefined, () => tellRecalled(host, loop, call, input, text(pages[0]?.text), row))
    return { ...block, content: pages }
  }
  // Without its input, a call cannot be judged: a Read's range is in it.
  if (!known || !call || block.is_error || SKIP.test(call.tool) || call.tool === TOOL) return block
  // A text with half a surrogate pair would come back changed, so it is not shown to the daemon.
  const texts = textsOf(block.content).map(t => (HALF_PAIR.test(t) ? '' : t))
  if (texts.reduce((n, t) => n + t.length, 0) < MIN_CHARS) return block
  const reply = await judge(host, loop, call, input, texts)
  notePosted(loop, id, row, reply)
  return putBack(block, texts, reply)
}

/** The daemon keeps track of what this loop is shown, and has seen this row. */
function notePosted(loop: Loop, id: string, row: string, reply: Json): void {
  if (reply.mode) state.seen = reply.seen === true
  if (reply.seen !== true || !row) return
  loop.posted.set(id, { row, message: loop.message })
  trim(loop.posted, MAX_POSTED)
}

/** What was recalled is in the conversation from this row on, so it counts as shown. */
async function tellRecalled(host: Host, loop: Loop, call: Call, input: unknown, page: string, row: string): Promise<void> {
  if (page.length >= MIN_CHARS) notePosted(loop, call.id, row, await judge(host, loop, call, input, [page]))
}

async function judge(host: Host, loop: Loop, call: Call, input: unknown, texts: string[]): Promise<Json> {
  const began = await host.now()
  const judging = MESSAGE_MS - (loop.waited - loop.questioned)
  const ms = Math.min(FETCH_MS, judging, ROWS_MS - loop.waited)
  if (began < state.offUntil || ms < LEAST_MS) return {}
  const told = loop.told
  await tellOffer(host, loop, ms)
  const left = loop.told === told ? ms : ms - ((await host.now()) - began)
  const standing = await safe(host, [], () => standingOf(host, loop))
  const body: Json = { ...requestOf(loop, call, input, texts), ...(standing.length > 0 && { standing }) }
  if (state.second) body.left_ms = Math.max(1, ROWS_MS - GIVE_UP_MS - loop.waited)
  const reply = fields(await ask(host, '/v1/result', body, left, judging - ms))
  loop.waited += (await host.now()) - began
  heed(host, reply)
  if (Array.isArray(reply.questions) && Array.isArray(reply.texts)) await answers(host, loop, body, reply)
  note(host, reply)
  return reply
}

/** Takes what a reply says beside the texts. */
function note(host: Host, reply: Json): void {
  for (const key of reply.keys ?? []) seenKeys.add(key)
  trim(seenKeys, MAX_SEEN)
  if (text(reply.notice)) tellOnce(host, reply.notice)
}

/**
 * Texts that wait for a question: what it comes to brings them, the reply's or the
 * local result. Questions of one result are put together.
 */
async function answers(host: Host, loop: Loop, body: Json, reply: Json): Promise<void> {
  const began = await host.now()
  const end = began + Math.min(QUESTION_MS + SLACK_MS, ROWS_MS - GIVE_UP_MS - loop.waited)
  const waiting = reply.questions.map((q: Json) => ({ q, answer: put(host, loop.id, q) }))
  for (const { q, answer } of waiting) {
    const left = end - (await host.now())
    let said = answer && left >= LEAST_MS ? fields(await race(host, answer, left)) : {}
    if (!said.settled) said = await giveUp(host, loop, body, q)
    reply.texts[q.index] = said.text ?? null
    note(host, said)
  }
  const waited = (await host.now()) - began
  loop.waited += waited
  loop.questioned += waited
}

/** Puts a question to the session's own small model, once, and posts what it comes to. */
function put(host: Host, loop: string, q: Json): Promise<Json> | undefined {
  if (q.request && !asked.has(q.ticket)) {
    asked.set(q.ticket, consult(host, loop, q, state.session))
    trim(asked, MAX_CALLS)
  }
  return asked.get(q.ticket)
}

async function consult(host: Host, loop: string, q: Json, session: string): Promise<Json> {
  // The client's own limit is in the request; this one is for a client that hangs.
  const reply = await race(host, host.complete(q.request), QUESTION_MS + LEAST_MS)
  const { isAnswered, usage, ...r } = fields(reply)
  const answered = isAnswered === true
  const reason = answered ? '' : text(r.reason) || (reply === LATE ? 'aborted' : 'failed')
  return fields(await post(host, '/v1/second', { session, loop, ticket: q.ticket, answered, text: answered ? text(r.text) : '', reason, usage }, SMALL_MS))
}

/** The row waits no longer: the local result, from a daemon that knows the ticket or does not. */
async function giveUp(host: Host, loop: Loop, body: Json, q: Json): Promise<Json> {
  const gone = { session: state.session, loop: loop.id, ticket: q.ticket, reason: 'no-time' }
  const said = fields(await post(host, '/v1/second', gone, GIVE_UP_MS / 2))
  if (said.settled) return said
  const again = fields(await post(host, '/v1/result', { ...body, asked: true }, GIVE_UP_MS / 2))
  return { text: again.texts?.[q.index], keys: again.keys }
}

/**
 * Of the results that the daemon was shown, those whose rows still stand: not
 * compacted, rewound or cleared. The oldest row answers for itself, and names
 * those after it; once it is gone, nothing before it can be told from it.
 */
async function standingOf(host: Host, loop: Loop): Promise<string[]> {
  const [first] = loop.posted
  if (!first) return []
  const later = await host.since(first[1].row, loop.id === 'main' ? undefined : loop.id)
  if (!Array.isArray(later)) {
    loop.posted.clear()
    return []
  }
  const ids = new Set([first[0], ...later.flatMap(m => (m.toolResults ?? []).map((r: Json) => text(r.tool_use_id)))])
  // A row of this very message may not be told of yet.
  return [...loop.posted].filter(([id, at]) => ids.has(id) || at.message === loop.message).map(([id]) => id)
}

function requestOf(loop: Loop, call: Call, input: unknown, texts: string[]): Json {
  return {
    session: state.session,
    loop: loop.id,
    tool_use_id: call.id,
    tool: call.tool,
    input: input ?? {},
    args: call.args,
    model: loop.model,
    turn: loop.turn,
    texts,
    rows: loop.rows,
    assistant: loop.assistant,
    calls: loop.calls.slice(0, loop.calls.indexOf(call)), // later ones of the same message are not earlier
    transcript: state.transcript,
    cwd: state.cwd,
  }
}

/**
 * Of parallel calls, has the daemon judge one whose row waits for others', and puts
 * its questions. The request is not waited for; should it hang, the row's own will
 * be late and end it.
 */
async function early(host: Host, e: any): Promise<void> {
  const loop = loops.get(e.agent_id ?? 'main')
  const out = text(e.tool_response?.stdout)
  if (!loop || loop.open.size < 2 || !loop.open.has(e.tool_use_id)) return
  if (out.length < (state.second ? MIN_CHARS : EARLY_CHARS)) return
  // Over the host's limit the row will hold another text; so will one that failed.
  if (e.tool_response.persistedOutputPath || HALF_PAIR.test(out) || !state.daemon) return
  if ((await host.now()) < state.offUntil) return
  const call = loop.calls.find(c => c.id === e.tool_use_id)
  if (!call) return
  const sent = send(host, state.daemon, '/v1/early', requestOf(loop, call, loop.open.get(call.id), [out]))
  sent.then(reply => begin(host, loop.id, reply)).catch(() => {})
}

function begin(host: Host, loop: string, reply: Awaited<ReturnType<Host['fetch']>>): void {
  const { questions } = reply.ok && reply.text ? JSON.parse(reply.text) : ({} as Json)
  for (const q of Array.isArray(questions) ? questions : []) put(host, loop, q)?.catch(() => {})
}

/** Puts the answered texts where the old ones were; anything else stays as it is. */
function putBack(block: any, texts: string[], reply: Json): any {
  const put = reply.texts
  if (state.mode !== 'active' || !state.registered || !Array.isArray(put) || put.length !== texts.length) return block
  if (!put.some((t, i) => t && t !== texts[i])) return block
  if (typeof block.content === 'string') return { ...block, content: put[0] || block.content }
  let at = 0
  const content = block.content.map((b: any) => {
    if (b.type !== 'text') return b
    const t = put[at++]
    return t ? { ...b, text: t } : b
  })
  return { ...block, content }
}

// --- recall --------------------------------------------------------------

async function offered(host: Host, agentId?: string): Promise<void> {
  const loop = await loopOf(host, agentId)
  loop.offered = true
  if ((await host.now()) >= state.offUntil) await tellOffer(host, loop, SMALL_MS)
}

/** Tells the daemon, once each, that this loop has a way to ask for hidden lines. */
async function tellOffer(host: Host, loop: Loop, ms: number): Promise<void> {
  if (!loop.offered || loop.told === identity()) return
  const reply = await ask(host, '/v1/offer', { session: state.session, loop: loop.id }, Math.min(ms, SMALL_MS))
  if (typeof reply === 'symbol') return
  loop.told = identity()
  heed(host, reply)
}

/** The page that the recall tool shows; its row gets the exact blocks. */
async function recall(host: Host, e: any): Promise<string> {
  const loop = await loopOf(host, e.agentId)
  const body = { key: str(e.key), lines: str(e.lines), pattern: str(e.pattern), session: state.session, loop: loop.id }
  let answer = await ask(host, '/v1/recall', body, RECALL_MS, UNSTICK_MS, true)
  // A hung daemon has been ended by now, so another one can answer.
  if (answer === LATE) answer = await ask(host, '/v1/recall', body, RECALL_MS, UNSTICK_MS, true)
  const reply = fields(answer)
  if (typeof reply.text !== 'string') return NO_ANSWER
  const blocks = pagesOf(reply.text, text(reply.note))
  recalled.set(e.tool_use_id, blocks)
  trim(recalled, MAX_CALLS)
  return blocks.map(b => b.text).join('\n')
}

function pagesOf(exact: string, note: string): Json[] {
  const blocks = [exact, note].filter(t => t !== '').map(t => ({ type: 'text', text: t }))
  if (blocks.length === 0) return [{ type: 'text', text: '(nothing: these lines are empty)' }]
  if (exact === '' || exact.trim() !== '') return blocks
  // The API refuses a block of nothing but white space, so the note shares its block.
  return [{ type: 'text', text: `${exact}\n(${exact.length} characters of white space) ${note}`.trimEnd() }]
}

// --- guard ---------------------------------------------------------------

/** Refuses a call whose input holds one of our markers: it must not reach a file. */
async function guard(host: Host, e: any): Promise<any> {
  if (!state.registered || MAY_CARRY.test(e.tool) || e.tool === TOOL) return undefined
  const keys = keysIn(JSON.stringify(e.input) ?? '')
  const live = keys.length > 0 ? await liveOf(host, keys) : []
  if (live.length === 0) return undefined
  return {
    decision: 'deny',
    reason:
      `the input holds a winnow marker (<<ccr:${live[0]} ...>>), which stands for hidden lines and must not go into a file or a command. ` +
      `Call ${TOOL} with key "${live[0]}" first and use the lines it returns in place of the marker; without that tool, read the lines again with offset and limit.`,
  }
}

async function liveOf(host: Host, keys: string[]): Promise<string[]> {
  const off = (await host.now()) < state.offUntil
  const reply = off ? {} : fields(await ask(host, '/v1/live', { keys }, SMALL_MS))
  return Array.isArray(reply.live) ? keys.filter(k => reply.live.includes(k)) : keys.filter(k => seenKeys.has(k))
}

function keysIn(s: string): string[] {
  if (!s.includes('<<ccr:')) return []
  return [...new Set([...s.matchAll(/<<ccr:([0-9a-f]{24})(?![0-9a-f])/gi)].map(m => m[1]!.toLowerCase()))]
}

// --- the daemon ----------------------------------------------------------

/**
 * Posts to the daemon (GET without a body) within ms: the reply, or LATE, or
 * GONE. A dead daemon is started once; grace is what a late one may cost more.
 */
async function ask(host: Host, path: string, body: unknown, ms: number, grace = SMALL_MS, urgent = false): Promise<Json | symbol> {
  let reply = await post(host, path, body, ms)
  if (reply === GONE) reply = await askAgain(host, path, body, ms, urgent)
  if (reply === LATE) await late(host, ms >= SMALL_MS, grace)
  return reply
}

/** Another daemon may have taken over; else one is started, where that is due. */
async function askAgain(host: Host, path: string, body: unknown, ms: number, urgent: boolean): Promise<Json | symbol> {
  const end = (await host.now()) + ms
  state.daemon = await load(host)
  const reply = await post(host, path, body, ms)
  if (reply !== GONE || !(await revive(host, end, urgent))) return reply
  return post(host, path, body, end - (await host.now()))
}

async function post(host: Host, path: string, body: unknown, ms: number): Promise<Json | symbol> {
  const daemon = state.daemon
  if (!daemon) return GONE
  const reply = await race(host, send(host, daemon, path, body), ms)
  if (typeof reply === 'symbol') return reply
  if (reply.status === 401 || reply.status === 403) return GONE // the token is another daemon's
  state.revived = 0
  return reply.ok && reply.text ? JSON.parse(reply.text) : {}
}

function send(host: Host, daemon: Daemon, path: string, body: unknown): ReturnType<Host['fetch']> {
  return host.fetch(`http://127.0.0.1:${daemon.port || 80}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-winnow-token': daemon.token },
    body: body === undefined ? undefined : JSON.stringify(body, whole),
    socketPath: daemon.socket || undefined,
  })
}

async function load(host: Host): Promise<Daemon | undefined> {
  state.dir ||= (await host.dirEnv()) || `${(await host.homeEnv()) ?? ''}/.winnow`
  try {
    return JSON.parse(await host.read(`${state.dir}/daemon.json`))
  } catch {
    return undefined
  }
}

/** Starts the daemon unless that was tried just now; reports whether one is there. */
async function revive(host: Host, end: number, urgent: boolean): Promise<boolean> {
  const now = await host.now()
  if (now < state.reviveAt && !urgent) return false
  state.reviveAt = now + REVIVE_MS[Math.min(state.revived++, REVIVE_MS.length - 1)]!
  const ran = await race(host, host.run([host.bin, 'serve', '--ensure'], RUN_MS), end - now)
  // The launcher is gone, or says which binary it looked for in vain.
  if (ran === GONE) tellOnce(host, `winnow: ${host.bin} cannot be run; results stay whole (after \`winnow uninstall\`, as it should be)`)
  else if (typeof ran !== 'symbol' && ran.exitCode === NO_BINARY) tellOnce(host, `${text(ran.stderr).trim()}; until then results stay whole`)
  state.daemon = await load(host)
  return typeof ran !== 'symbol' && ran.exitCode === 0
}

/**
 * Ends a daemon that hangs, and with it the fetch that was given up: left alone,
 * that would keep a `-p` process alive for half a minute. A daemon that answers
 * a ping is left in peace. Then the mod stays off for a while.
 */
async function late(host: Host, hangs: boolean, grace: number): Promise<void> {
  const now = await host.now()
  if (hangs && now >= state.offUntil) {
    state.offUntil = now + OFF_MS
    tellOnce(host, 'winnow: the daemon did not answer in time; results stay whole for a minute')
  }
  await race(host, host.run([host.bin, 'serve', '--unstick'], RUN_MS), Math.min(UNSTICK_MS, grace))
}

/** The value, or LATE after ms, or GONE when the work fails. */
async function race<T>(host: Host, work: Promise<T>, ms: number): Promise<T | symbol> {
  const timer = new AbortController()
  const done = work.catch(err => {
    host.debug(`winnow: ${err}`)
    return GONE
  })
  const slept = host.sleep(Math.max(0, ms), timer.signal).then(() => LATE, () => LATE)
  const first = await Promise.race([done, slept])
  timer.abort()
  return first
}

function identity(): string {
  const d = state.daemon
  return d ? `${d.pid} ${d.started} ${d.token}` : ''
}

function tellOnce(host: Host, words: string): void {
  if (shown.has(words)) return
  shown.add(words)
  trim(shown, MAX_ROWS)
  host.tell(words)
}

// --- small things --------------------------------------------------------

/** The text blocks of a content; a string is one block. */
function textsOf(content: any): string[] {
  if (typeof content === 'string') return [content]
  return (Array.isArray(content) ? content : []).filter(b => b.type === 'text').map(b => text(b.text))
}

function fields(reply: Json | symbol): Json {
  return typeof reply === 'symbol' ? {} : (reply ?? {})
}

function text(v: unknown): string {
  return typeof v === 'string' ? v : ''
}

function str(v: unknown): string {
  return typeof v === 'string' || typeof v === 'number' ? String(v) : ''
}

/** For JSON.stringify: half a surrogate pair, cut off or received, would spoil the whole body. */
function whole(_: string, v: unknown): unknown {
  return typeof v === 'string' && HALF_PAIR.test(v) ? v.replace(HALF_PAIRS, '\uFFFD') : v
}

function tail(s: string): string {
  return s.slice(-MAX_ROW_CHARS)
}

/** Drops the oldest entries beyond max. */
function trim(kept: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= max) return
    kept.delete(key)
  }
}

// The mod under the client's own test kit: `claude plugin test` (see
// scripts/plugin-test.sh). World stands for everything beneath the mod: the
// daemon, its starter, the files, the session, and a clock that only tests move.
import { describe, expect, mock, test } from 'claude-code/testing'

type Json = Record<string, any>
type Asked = { path: string; body: Json; init: Json }

const KEY = '0123456789abcdef01234567'
const MARKER = `<<ccr:${KEY} 90_lines_offloaded>> lines 6-95: filler`
const TOOL = 'mcp__winnow__recall'
const LONG = 'a line of output\n'.repeat(200)
const LOCAL = `a line of output\n${'a line of output\n'.repeat(99)}`
const REQUEST = { model: 'haiku', system: [{ text: 'rules', cache: true }], prompt: '0|a', maxTokens: 300, timeoutMs: 4000 }
const USAGE = { input_tokens: 900, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const SHORT = `a line of output\n${MARKER}\n`

class World {
  asked: Asked[] = []
  runs: string[] = []
  told: string[] = []
  registered: Json[] = []
  invalidated: Json[] = []
  clock: any
  /** Whether a daemon listens; whether `serve --ensure` brings one. */
  up = true
  startable = true
  binary = true
  /** What a launcher without a binary says. */
  missing = ''
  /** Milliseconds that an answer takes; Infinity never comes. */
  delay = 0
  mode = 'active'
  session = 's1'
  version: string | undefined = '2.1.400'
  token = 't1'
  past: unknown = []
  /** What follows a row, as the host answers for it. */
  after: (row: string) => Json = () => ({ deny: 'gone' })
  agents: Json[] = []
  info: Json = { transcriptPath: '/home/dev/.claude/s1.jsonl' }
  replies: Record<string, (body: Json) => unknown> = {}
  /** What the session's small model was asked, what it says, and how long it takes. */
  completed: Json[] = []
  says: (e: Json) => Json = () => ({ isAnswered: true, text: '{"hide":"3"}', usage: USAGE })
  thinks = 0

  constructor(on: any) {
    this.clock = mock.clock(on)
    mock.env(on, { HOME: '/home/dev' })
    mock.session(on)
    on('session.start', (_: any, e: any) => ({ cwd: e.cwd }))
    on('session.cwd', () => ({ value: '/p' }))
    on('session.id', () => ({ value: this.session }))
    on('session.messages', (_: any, e: any) => e.after ? this.after(e.after) : ({ value: e.agentId ? (this.past as any)[e.agentId] ?? [] : this.past }))
    on('session.version', () => {
      if (!this.version) throw new Error('no version')
      return { value: { version: this.version } }
    })
    on('session.info', () => ({ value: this.info }))
    on('agent.list', () => ({ value: this.agents }))
    on('fs.read', (_: any, e: any) => {
      if (!this.up || e.path !== '/home/dev/.winnow/daemon.json') throw new Error('ENOENT')
      return { value: JSON.stringify({ socket: '/run/s', port: 4711, token: this.token, pid: 7, started: '1', mode: this.mode }) }
    })
    on('process.run', (_: any, e: any) => {
      if (!this.binary) throw new Error('ENOENT')
      this.runs.push(e.argv.slice(1).join(' '))
      if (e.argv[2] === '--ensure' && this.startable) this.up = true
      if (e.argv[2] === '--unstick') this.up = false
      const exitCode = this.missing ? 127 : this.up ? 0 : 1
      return { value: { exitCode, stdout: '', stderr: this.missing && `${this.missing}\n`, isStdoutTruncated: false, isStderrTruncated: false } }
    })
    on('http.fetch', (_: any, e: any) => this.answer(e))
    on('model.complete', async (_: any, e: any) => {
      this.completed.push(e)
      if (this.thinks) await this.clock.sleep(this.thinks)
      return { value: this.says(e) }
    })
    on('tool.register', (_: any, e: any) => {
      this.registered.push(e)
      return { value: { tool: `mcp__winnow__${e.name}` } }
    })
    on('classic.PostToolUse', () => ({}))
    on('tool.offer', () => ({ isOffered: true }))
    on('tool.check', () => ({ decision: 'allow' }))
    on('ui.invalidate', (_: any, e: any) => {
      this.invalidated.push(e)
      return { value: undefined }
    })
    on('ui.log', (_: any, e: any) => {
      if (e.to !== 'debug') this.told.push(e.text)
      return { value: undefined }
    })
  }

  async answer(e: any) {
    if (!this.up) throw new Error('ECONNREFUSED')
    const path = e.url.replace(/^http:\/\/127\.0\.0\.1:\d+/, '')
    const body = e.init.body ? JSON.parse(e.init.body) : {}
    this.asked.push({ path, body, init: e.init })
    if (this.delay) await this.clock.sleep(this.delay)
    const reply = this.replies[path]?.(body) ?? { mode: this.mode }
    if ((reply as Json).status) return { value: { headers: {}, ok: false, ...(reply as Json) } }
    return { value: { status: 200, ok: true, headers: {}, text: typeof reply === 'string' ? reply : JSON.stringify(reply) } }
  }

  /** Makes the daemon prune: each text that is long enough becomes SHORT. */
  prunes() {
    this.replies['/v1/result'] = b => ({ mode: this.mode, keys: [KEY], texts: b.texts.map((t: string) => (t.length > 1500 ? SHORT : null)) })
    return this
  }

  /** Makes the daemon ask about each result, and prune by the answer or, without one, to LOCAL. */
  consults() {
    const told = new Set<string>()
    const question = (b: Json) => {
      const q = { index: 0, ticket: `q-${b.tool_use_id}` }
      return told.has(q.ticket) ? q : (told.add(q.ticket), { ...q, request: REQUEST })
    }
    this.replies['/v1/early'] = b => ({ questions: [question(b)] })
    this.replies['/v1/result'] = b => (b.asked ? { mode: 'active', second: true, texts: [LOCAL] } : { mode: 'active', second: true, texts: [null], questions: [question(b)] })
    this.replies['/v1/second'] = b => ({ outcome: 'x', settled: true, text: b.answered ? SHORT : LOCAL, keys: b.answered ? [KEY] : [] })
    this.replies['/v1/hello'] = this.replies['/v1/offer'] = () => ({ mode: 'active', second: true })
    return this
  }

  posts(path: string): Json[] {
    return this.asked.filter(a => a.path === path).map(a => a.body)
  }
}

/** The engine raising rows, as the client does. */
class Session {
  n = 0
  constructor(readonly $: any) {}

  start() {
    return this.$.session.start({ cwd: '/p', surface: null, isInteractive: false })
  }
  row(door: string, origin: Json, message: Json, agentId?: string) {
    return this.$.session.append({ door, origin, uuid: `u${++this.n}`, message, ...(agentId ? { agentId } : {}) })
  }
  prompt(words: string, kind = 'composer', agentId?: string, more: Json = {}, door = 'prompt') {
    const content = [{ type: 'text', text: words }]
    return this.row(door, { kind }, { type: 'user', role: 'user', content, ...more }, agentId)
  }
  block(block: Json, agentId?: string) {
    return this.row('response', { kind: 'model', model: 'm' }, { type: 'assistant', role: 'assistant', content: [block] }, agentId)
  }
  call(id: string, name: string, input: Json = {}, agentId?: string) {
    return this.block({ type: 'tool_use', id, name, input }, agentId)
  }
  /** The result's block as the session kept it. */
  async result(id: string, content: unknown, more: Json = {}, agentId?: string, tool = 'Bash') {
    const block = { type: 'tool_result', tool_use_id: id, content, ...more }
    const kept = await this.row('tool-result', { kind: 'tool', tool }, { type: 'user', role: 'user', content: [block] }, agentId)
    return kept.message.content[0]
  }
  async bash(id: string, content: unknown, agentId?: string) {
    await this.call(id, 'Bash', { command: id }, agentId)
    return this.result(id, content, { is_error: false }, agentId)
  }
  offer(agentId?: string) {
    return this.$.tool.offer({ tool: TOOL, provider: { plugin: 'winnow@inline', tier: 'user' }, for: 'list', ...(agentId ? { agentId } : {}) })
  }
}

/** A world and a session in it, begun, with the recall tool offered and one prompt. */
async function begun($: any, on: any, set: (w: World) => void = () => {}): Promise<[World, Session]> {
  const w = new World(on).prunes()
  set(w)
  const s = new Session($)
  await s.start()
  if (w.mode === 'active') await s.offer()
  await s.prompt('find the bug')
  await w.clock.advance(1000) // past the least time between two starts of the daemon
  return [w, s]
}

describe('start', () => {
  test('active: starts the daemon, registers recall, asks for the offer again', async ($, on) => {
    const w = new World(on)
    await new Session($).start()
    expect(w.runs).toEqual(['serve --ensure'])
    expect(w.registered.map(r => r.name)).toEqual(['recall'])
    expect(w.registered[0]!.isDeferred).toBe(false)
    expect(w.registered[0]!.description.length <= 4096).toBe(true)
    expect(w.registered[0]!.description).toMatch('lines 41-252')
    expect(w.invalidated.length).toBe(1)
    expect(w.told).toEqual([])
  })

  test('says hello: who loaded the mod', async ($, on) => {
    const w = new World(on)
    w.mode = 'shadow'
    await new Session($).start()
    const [hello] = w.posts('/v1/hello')
    expect([hello!.session, hello!.client]).toEqual(['s1', '2.1.400'])
    expect(hello!.root.startsWith('/')).toBe(true)
  })

  test('a client that does not say its version: hello all the same', async ($, on) => {
    const w = new World(on)
    w.version = undefined
    await new Session($).start()
    expect(w.posts('/v1/hello').map(h => h.client)).toEqual([''])
    expect(w.registered.length).toBe(1)
  })

  for (const mode of ['shadow', 'off']) {
    test(`${mode}: the model's view stays as it is`, async ($, on) => {
      const [w, s] = await begun($, on, w => (w.mode = mode))
      expect(w.registered).toEqual([])
      expect(w.invalidated).toEqual([])
      expect((await s.bash('t1', LONG)).content).toBe(LONG)
      expect(w.posts('/v1/result').length).toBe(1)
      const check = await $.tool.check({ tool: 'Write', input: { content: MARKER } } as any)
      expect(check.decision).toBe('allow')
      expect(w.posts('/v1/live')).toEqual([])
    })
  }

  test('shadow: a session that holds markers keeps its recall tool', async ($, on) => {
    const w = new World(on)
    w.mode = 'shadow'
    w.past = [{ role: 'user', text: '', toolUses: [], toolResults: [{ tool_use_id: 't0', text: SHORT }] }]
    await new Session($).start()
    expect(w.registered.length).toBe(1)
  })

  test('a start is never held up by a daemon that does not come', async ($, on) => {
    const w = new World(on)
    w.delay = 1e9
    const started = new Session($).start()
    await w.clock.advance(2000)
    expect(await started).toEqual({ cwd: '/p' })
  })

  test('switched to active in the middle: registered, and cut from the offer on', async ($, on) => {
    const [w, s] = await begun($, on, w => (w.mode = 'shadow'))
    w.mode = 'active'
    w.replies['/v1/result'] = b => ({ mode: w.mode, texts: b.texts.map(() => null) })
    expect((await s.bash('t1', LONG)).content).toBe(LONG)
    expect(w.registered.length).toBe(1)
    await s.offer()
    w.prunes()
    expect((await s.bash('t2', LONG)).content).toBe(SHORT)
    expect(w.posts('/v1/offer')).toEqual([{ session: 's1', loop: 'main' }])
  })
})

test('switched to shadow in the middle: nothing more is cut, recall and guard stay', async ($, on) => {
  const [w, s] = await begun($, on)
  expect((await s.bash('t1', LONG)).content).toBe(SHORT)
  w.mode = 'shadow'
  w.replies['/v1/live'] = b => ({ live: b.keys })
  expect((await s.bash('t2', LONG)).content).toBe(LONG)
  expect((await $.tool.check({ tool: 'Write', input: { content: MARKER } } as any)).decision).toBe('deny')
})

describe('a result', () => {
  test('small: not posted, but remembered', async ($, on) => {
    const [w, s] = await begun($, on)
    expect((await s.bash('t1', 'x'.repeat(1499))).content).toBe('x'.repeat(1499))
    expect(w.posts('/v1/result')).toEqual([])
    await s.bash('t2', LONG)
    expect(w.posts('/v1/result')[0]!.calls).toEqual([{ id: 't1', tool: 'Bash', args: '{"command":"t1"}', path: '', since: true }])
  })

  test('tells which earlier results still stand, once the daemon wants to know', async ($, on) => {
    const [w, s] = await begun($, on)
    const standing = () => w.posts('/v1/result').map(b => b.standing)
    w.replies['/v1/result'] = () => ({ mode: 'active', texts: [null], seen: true })
    const asked: string[] = []
    let rows = ['t1', 't2', 't3']
    w.after = row => {
      asked.push(row)
      return { value: [{ role: 'assistant', toolUses: [] }, { role: 'user', toolResults: rows.map(id => ({ tool_use_id: id, text: 'x' })) }] }
    }
    for (const id of ['t1', 't2', 't3']) await s.bash(id, LONG)
    expect(standing()).toEqual([undefined, ['t1'], ['t1', 't2']])
    rows = ['t1', 't2'] // rewound
    await s.bash('t4', LONG)
    expect(standing()[3]).toEqual(['t1', 't2'])
    w.after = () => ({ deny: 'compacted' })
    await s.bash('t5', LONG)
    await s.bash('t6', LONG, 'agent1')
    expect(standing().slice(4)).toEqual([undefined, undefined])
    expect(new Set(asked).size).toBe(1)
    w.replies['/v1/result'] = () => ({ mode: 'active', texts: [null] })
    const before = asked.length
    await s.bash('t7', LONG)
    expect(asked.length).toBe(before)
  })

  test('later calls of the same message are no earlier ones', async ($, on) => {
    const [w, s] = await begun($, on)
    for (const id of ['t1', 't2', 't3']) await s.call(id, 'Bash', { command: id })
    await s.result('t2', LONG)
    expect(w.posts('/v1/result')[0]!.calls.map((c: Json) => c.id)).toEqual(['t1'])
  })

  test('answered: the text is put back and nothing else changes', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.block({ type: 'text', text: 'Looking.' })
    await s.call('t1', 'Bash', { command: 'make', description: 'x' })
    const block = await s.result('t1', LONG, { is_error: false, cache_control: { type: 'ephemeral' } })
    expect(block).toEqual({ type: 'tool_result', tool_use_id: 't1', content: SHORT, is_error: false, cache_control: { type: 'ephemeral' } })
    expect(w.posts('/v1/result')).toEqual([
      {
        session: 's1',
        loop: 'main',
        tool_use_id: 't1',
        tool: 'Bash',
        input: { command: 'make', description: 'x' },
        args: '{"command":"make","description":"x"}',
        model: 'm',
        turn: 1,
        texts: [LONG],
        rows: [{ text: 'find the bug', door: 'prompt', origin: 'composer' }],
        assistant: 'Looking.',
        calls: [],
        transcript: '/home/dev/.claude/s1.jsonl',
        cwd: '/p',
      },
    ])
    const init = w.asked.find(a => a.path === '/v1/result')!.init
    expect([init.method, init.socketPath, init.headers['x-winnow-token']]).toEqual(['POST', '/run/s', 't1'])
  })

  test('blocks: each text by itself, the image kept, null leaves alone', async ($, on) => {
    const [w, s] = await begun($, on)
    w.replies['/v1/result'] = () => ({ mode: 'active', texts: [null, SHORT] })
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }
    await s.call('t1', 'mcp__lab__shots', { n: 1 })
    const block = await s.result('t1', [{ type: 'text', text: 'head' }, image, { type: 'text', text: LONG }])
    expect(block.content).toEqual([{ type: 'text', text: 'head' }, image, { type: 'text', text: SHORT }])
    expect(w.posts('/v1/result')[0]!.texts).toEqual(['head', LONG])
  })

  test('failed: never posted', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.call('t1', 'Bash', { command: 'false' })
    expect((await s.result('t1', LONG, { is_error: true })).content).toBe(LONG)
    expect(w.posts('/v1/result')).toEqual([])
  })

  test('of a tool that is never judged: not posted', async ($, on) => {
    const [w, s] = await begun($, on)
    const tools = ['Agent', 'Skill', 'ToolSearch', 'SendMessage', 'Monitor', 'TodoWrite', 'TaskOutput', 'ExitPlanMode', 'AskUserQuestion', 'Edit', 'Write', TOOL]
    for (const tool of tools) {
      await s.call(tool, tool)
      expect((await s.result(tool, LONG, {}, undefined, tool)).content).toBe(LONG)
    }
    expect(w.posts('/v1/result')).toEqual([])
  })

  test('whose call was never seen: left alone', async ($, on) => {
    const [w, s] = await begun($, on)
    expect((await s.result('t9', LONG)).content).toBe(LONG)
    expect(w.posts('/v1/result')).toEqual([])
  })

  const broken: [string, unknown][] = [
    ['an empty body', ''],
    ['no JSON', '{oops'],
    ['too few texts', { mode: 'active', texts: [] }],
    ['an empty text', { mode: 'active', texts: [''] }],
    ['a number for a text', { mode: 'active', texts: [7] }],
    ['null', 'null'],
    ['status 500', { status: 500, text: JSON.stringify({ mode: 'active', texts: [SHORT] }) }],
  ]
  for (const [name, reply] of broken) {
    test(`${name} from the daemon leaves it alone`, async ($, on) => {
      const [w, s] = await begun($, on)
      w.replies['/v1/result'] = () => reply
      expect((await s.bash('t1', LONG)).content).toBe(LONG)
    })
  }

  test('with half a surrogate pair: its text stays, and the body is sound', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.prompt('x'.repeat(7999) + '😀')
    await s.call('t1', 'mcp__lab__two', { q: '\ud83d' })
    const block = await s.result('t1', [{ type: 'text', text: LONG }, { type: 'text', text: LONG + '\ud83d' }])
    expect(block.content.map((b: Json) => b.text)).toEqual([SHORT, LONG + '\ud83d'])
    const asked = w.asked.find(a => a.path === '/v1/result')!
    expect(asked.body.texts).toEqual([LONG, ''])
    expect(/(?<!\\)\\ud[89a-f]/.test(asked.init.body)).toBe(false)
  })

  test('a notice is shown once', async ($, on) => {
    const [w, s] = await begun($, on)
    w.replies['/v1/result'] = () => ({ mode: 'active', texts: [null], notice: 'the store is full' })
    await s.bash('t1', LONG)
    await s.bash('t2', LONG)
    expect(w.told).toEqual(['the store is full'])
  })
})

describe('the task', () => {
  const rowsAfter = async (w: World, s: Session, agentId?: string) => {
    await s.bash(`r${s.n}`, LONG, agentId)
    return w.posts('/v1/result').at(-1)!.rows.map((r: Json) => `${r.door}/${r.origin}: ${r.text}`)
  }

  test('a prompt typed while the agent works comes unframed', async ($, on) => {
    const [w, s] = await begun($, on)
    const frame = (t: string) =>
      `<system-reminder>\nThe user sent a new message while you were working:\n${t}\n\nThis is how Claude Code surfaces messages the user sends mid-turn. Address the message above.\n</system-reminder>`
    await s.prompt(frame('only the parser'), 'composer', undefined, { type: 'attachment', name: 'queued_command' }, 'delivery')
    expect(await rowsAfter(w, s)).toEqual(['prompt/composer: find the bug', 'delivery/composer: only the parser'])
  })

  test('notifications and nudges are nobody’s request', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.prompt('<task-notification>done</task-notification>', 'task-notification')
    await s.prompt('<system-reminder>done</system-reminder>', 'task-notification', undefined, {}, 'delivery')
    await s.prompt('still there?', 'unclassified', undefined, { isMeta: true })
    expect(await rowsAfter(w, s)).toEqual(['prompt/composer: find the bug'])
  })

  test('a subagent has its own: the delegation, then a later message', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.offer('a1')
    await s.prompt('read the lexer', 'coordinator', 'a1')
    expect(await rowsAfter(w, s, 'a1')).toEqual(['prompt/coordinator: read the lexer'])
    await s.prompt('The coordinator sent a message while you were working:\nnow the parser\n\nAddress this before completing your current task.', 'coordinator', 'a1', { isMeta: true })
    expect((await rowsAfter(w, s, 'a1')).at(-1)).toBe('prompt/coordinator: now the parser')
    expect(w.posts('/v1/result').map(b => b.loop)).toEqual(['a1', 'a1'])
    expect(await rowsAfter(w, s)).toEqual(['prompt/composer: find the bug'])
  })

  test('a new request ends the intent and ages the calls', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.block({ type: 'text', text: 'Thinking.' })
    await s.call('t1', 'Edit', { file_path: '/p/a.go', new_string: 'b', old_string: 'a' })
    await s.result('t1', 'ok')
    await s.prompt('and the tests')
    await s.bash('t2', LONG)
    const asked = w.posts('/v1/result')[0]!
    expect(asked.assistant).toBe('')
    expect(asked.calls).toEqual([{ id: 't1', tool: 'Edit', args: '{"file_path":"/p/a.go","new_string":"b","old_string":"a"}', path: '/p/a.go', since: false }])
  })

  test('equal arguments read equal in any order, long ones too', async ($, on) => {
    const [w, s] = await begun($, on)
    const big = 'z'.repeat(2000)
    await s.call('t1', 'Read', { file_path: '/a', offset: 1, o: { b: 1, a: big } })
    await s.call('t2', 'Read', { o: { a: big, b: 1 }, offset: 1, file_path: '/a' })
    await s.call('t3', 'Read', { o: { a: big, b: 2 }, offset: 1, file_path: '/a' })
    await s.bash('t4', LONG)
    const [a, b, c] = w.posts('/v1/result')[0]!.calls.map((x: Json) => x.args)
    expect(a).toBe(b)
    expect(a === c).toBe(false)
    expect(a.length < 100).toBe(true)
  })

  test('the newest six rows and sixty calls are kept', async ($, on) => {
    const [w, s] = await begun($, on)
    for (let i = 0; i < 9; i++) await s.prompt(`p${i}`)
    for (let i = 0; i < 70; i++) await s.call(`t${i}`, 'Bash')
    await s.bash('last', LONG)
    const asked = w.posts('/v1/result')[0]!
    expect(asked.rows.map((r: Json) => r.text)).toEqual(['p3', 'p4', 'p5', 'p6', 'p7', 'p8'])
    expect(asked.calls.length).toBe(59)
    expect(asked.calls[0].id).toBe('t11')
  })

  test('a resumed session is read in once', async ($, on) => {
    const [w, s] = await begun($, on, w => {
      w.past = [
        { role: 'user', text: 'port the parser', toolUses: [] },
        { role: 'assistant', text: 'Reading.', toolUses: [{ tool_use_id: 'o1', tool: 'Read', input: { file_path: '/p/x.go' } }] },
        { role: 'user', text: '', toolUses: [], toolResults: [{ tool_use_id: 'o1', text: 'package x' }] },
      ]
    })
    await s.bash('t1', LONG)
    const asked = w.posts('/v1/result')[0]!
    expect(asked.rows.map((r: Json) => `${r.door}: ${r.text}`)).toEqual(['messages: port the parser', 'prompt: find the bug'])
    expect(asked.calls).toEqual([{ id: 'o1', tool: 'Read', args: '{"file_path":"/p/x.go"}', path: '/p/x.go', since: false }])
  })

  test('a call that a reload found open can still be judged', async ($, on) => {
    const w = new World(on).prunes()
    w.past = [
      { role: 'user', text: 'port the parser', toolUses: [] },
      { role: 'assistant', text: '', toolUses: [{ tool_use_id: 'o1', tool: 'Bash', input: { command: 'make' } }] },
    ]
    const s = new Session($)
    await s.start()
    await s.offer()
    expect((await s.result('o1', LONG)).content).toBe(SHORT)
    expect(w.posts('/v1/result')[0]!.input).toEqual({ command: 'make' })
  })

  test('after /clear nothing of before is left', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.bash('t1', LONG)
    w.session = 's2'
    await s.offer()
    await s.prompt('something else')
    await s.bash('t2', LONG)
    const asked = w.posts('/v1/result')[1]!
    expect([asked.session, asked.rows.length, asked.calls.length]).toEqual(['s2', 1, 0])
    expect(w.posts('/v1/offer').map(b => b.session)).toEqual(['s1', 's2'])
    expect(w.posts('/v1/hello').map(b => b.session)).toEqual(['s1', 's2'])
  })
})

describe('offers', () => {
  test('each loop is told of once, a new daemon again', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.offer('a1')
    await s.bash('t1', LONG)
    expect(w.posts('/v1/offer')).toEqual([
      { session: 's1', loop: 'main' },
      { session: 's1', loop: 'a1' },
    ])
    w.up = false
    w.token = 't2'
    await s.bash('t2', LONG)
    await s.bash('t3', LONG)
    expect(w.posts('/v1/offer').slice(2)).toEqual([{ session: 's1', loop: 'main' }])
  })

  test('a fork has its parent’s answer and goes on from its rows', async ($, on) => {
    const [w, s] = await begun($, on, w => (w.agents = [{ id: 'f1', type: 'fork' }, { id: 'f2', type: 'fork', parentId: 'a9' }]))
    await s.prompt('<fork-boilerplate>x</fork-boilerplate>\n\nYour directive: count', 'coordinator', 'f1')
    await s.bash('t1', LONG, 'f1')
    expect(w.posts('/v1/offer').at(-1)).toEqual({ session: 's1', loop: 'f1' })
    expect(w.posts('/v1/result')[0]!.rows.length).toBe(2)
    await s.prompt('<fork-boilerplate>x</fork-boilerplate>', 'coordinator', 'f2')
    await s.bash('t2', LONG, 'f2')
    expect(w.posts('/v1/offer').some(b => b.loop === 'f2')).toBe(false)
  })

  test('a call is no offer, and a refusal is none', async ($, on) => {
    const w = new World(on)
    await new Session($).start()
    await $.tool.offer({ tool: TOOL, provider: { plugin: 'winnow', tier: 'user' }, for: 'call' } as any)
    expect(w.posts('/v1/offer')).toEqual([])
  })
})

describe('recall', () => {
  const recall = async (s: Session, input: Json, id = 'r1') => {
    await s.call(id, TOOL, input)
    const ran = await s.$.tool.call({ tool: TOOL, tool_use_id: id, ...input })
    return { shown: ran.result, kept: (await s.result(id, ran.result, {}, undefined, TOOL)).content }
  }

  test('what was recalled is told to a daemon that keeps track of what is shown', async ($, on) => {
    const [w, s] = await begun($, on)
    w.replies['/v1/recall'] = () => ({ text: LONG, found: true })
    await recall(s, { key: KEY }, 'r1')
    expect(w.posts('/v1/result')).toEqual([]) // nobody wants to know yet
    w.replies['/v1/result'] = () => ({ mode: 'active', texts: [null], seen: true })
    await s.bash('t1', LONG)
    w.after = () => ({ value: [{ role: 'user', toolResults: ['t1', 'r2', 'r3'].map(id => ({ tool_use_id: id, text: 'x' })) }] })
    expect((await recall(s, { key: KEY }, 'r2')).kept).toEqual([{ type: 'text', text: LONG }])
    const told = w.posts('/v1/result')[1]!
    expect([told.tool, told.tool_use_id, told.texts, told.standing]).toEqual([TOOL, 'r2', [LONG], ['t1']])
    w.replies['/v1/recall'] = () => ({ text: 'short', found: true })
    await recall(s, { key: KEY }, 'r3')
    expect(w.posts('/v1/result').length).toBe(2)
    await s.bash('t2', LONG)
    expect(w.posts('/v1/result')[2]!.standing).toEqual(['t1', 'r2'])
    // It is in the way of nothing: with the daemon gone the page arrives all the same.
    w.replies['/v1/recall'] = () => ({ text: LONG, found: true })
    w.replies['/v1/result'] = () => {
      throw new Error('connect ECONNREFUSED')
    }
    expect((await recall(s, { key: KEY }, 'r4')).kept).toEqual([{ type: 'text', text: LONG }])
  })

  test('the page and its note, exactly', async ($, on) => {
    const [w, s] = await begun($, on)
    const exact = '\n  first\r\n\nlast\n\n'
    w.replies['/v1/recall'] = () => ({ text: exact, note: 'next: lines 9-20', found: true })
    const { kept } = await recall(s, { key: MARKER, lines: 6, pattern: 'x' })
    expect(kept).toEqual([{ type: 'text', text: exact }, { type: 'text', text: 'next: lines 9-20' }])
    expect(w.posts('/v1/recall')).toEqual([{ key: MARKER, lines: '6', pattern: 'x', session: 's1', loop: 'main' }])
  })

  test('a miss is its note; white space alone shares the note’s block', async ($, on) => {
    const [w, s] = await begun($, on)
    w.replies['/v1/recall'] = () => ({ text: '', note: 'no such key: run the command again', found: false })
    expect((await recall(s, { key: 'x' })).kept).toEqual([{ type: 'text', text: 'no such key: run the command again' }])
    w.replies['/v1/recall'] = () => ({ text: '\n\n\n', note: '', found: true })
    expect((await recall(s, { key: KEY }, 'r2')).kept).toEqual([{ type: 'text', text: '\n\n\n\n(3 characters of white space)' }])
  })

  test('a dead daemon is started first, whatever the back-off says', async ($, on) => {
    const [w, s] = await begun($, on)
    w.up = w.startable = false
    await s.bash('t1', LONG)
    w.startable = true
    w.replies['/v1/recall'] = () => ({ text: 'lines', found: true })
    expect((await recall(s, { key: KEY })).kept).toEqual([{ type: 'text', text: 'lines' }])
  })

  test('a hung daemon is ended and another one asked', async ($, on) => {
    const [w, s] = await begun($, on)
    w.delay = 1e9
    w.replies['/v1/recall'] = () => ({ text: 'lines', found: true })
    const pending = recall(s, { key: KEY })
    await w.clock.advance(3999)
    w.delay = 0
    await w.clock.advance(1)
    expect((await pending).kept).toEqual([{ type: 'text', text: 'lines' }])
    expect(w.runs.slice(1)).toEqual(['serve --unstick', 'serve --ensure'])
  })

  test('no daemon at all: a final word', async ($, on) => {
    const [w, s] = await begun($, on)
    w.up = w.startable = false
    const { kept } = await recall(s, { key: KEY })
    expect(kept).toMatch('Do not retry')
    expect(kept).toMatch('offset and limit')
  })
})

describe('guard', () => {
  const check = async ($: any, tool: string, input: unknown) => (await $.tool.check({ tool, input } as any)) as Json
  const live = (w: World) => (w.replies['/v1/live'] = b => ({ live: b.keys.filter((k: string) => k === KEY) }))

  test('denies a live marker anywhere in any tool', async ($, on) => {
    const [w] = await begun($, on)
    live(w)
    const inputs: [string, unknown][] = [
      ['Write', { file_path: '/a', content: `x\n${MARKER}` }],
      ['Edit', { old_string: 'x', new_string: MARKER.toUpperCase().replace('CCR', 'ccr') }],
      ['Bash', { command: `cat > f <<EOF\n${MARKER}\nEOF` }],
      ['mcp__fs__put', { deep: [{ er: MARKER }] }],
    ]
    for (const [tool, input] of inputs) {
      const verdict = await check($, tool, input)
      expect(verdict.decision, tool).toBe('deny')
      expect(verdict.reason).toMatch(KEY)
      expect(verdict.reason).toMatch(TOOL)
    }
  })

  test('lets unknown keys, broken markers and other calls pass', async ($, on) => {
    const [w] = await begun($, on)
    live(w)
    for (const content of ['<<ccr:ffffffffffffffffffffffff 3_lines_offloaded>>', '<<ccr:0123>>', `<<ccr:${KEY}0 1>>`, 'plain', KEY]) {
      expect((await check($, 'Write', { content })).decision, content).toBe('allow')
    }
    expect(w.posts('/v1/live').length).toBe(1)
  })

  test('never touches recall, Agent and SendMessage', async ($, on) => {
    const [w] = await begun($, on)
    live(w)
    for (const tool of [TOOL, 'Agent', 'SendMessage']) expect((await check($, tool, { key: MARKER })).decision, tool).toBe('allow')
    expect(w.posts('/v1/live')).toEqual([])
  })

  test('without the daemon, keys of this session’s answers are live', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.bash('t1', LONG)
    w.up = w.startable = false
    expect((await check($, 'Write', { content: MARKER })).decision).toBe('deny')
    expect((await check($, 'Write', { content: MARKER.replace('0123', 'ffff') })).decision).toBe('allow')
  })
})

describe('trouble', () => {
  test('daemon down: originals, and attempts at 0, 1, 11 and 71 seconds', async ($, on) => {
    const [w, s] = await begun($, on)
    w.up = w.startable = false
    w.runs = []
    let n = 0
    const tries = async (ms: number) => {
      await w.clock.advance(ms)
      expect((await s.bash(`t${++n}`, LONG)).content).toBe(LONG)
      return w.runs.length
    }
    expect(await tries(0)).toBe(1)
    expect(await tries(999)).toBe(1)
    expect(await tries(1)).toBe(2)
    expect(await tries(9999)).toBe(2)
    expect(await tries(1)).toBe(3)
    expect(await tries(59_999)).toBe(3)
    expect(await tries(1)).toBe(4)
    expect(w.runs.every(r => r === 'serve --ensure')).toBe(true)
    expect(w.told).toEqual([])
  })

  test('daemon killed: started again, and the same result is cut', async ($, on) => {
    const [w, s] = await begun($, on)
    w.up = false
    expect((await s.bash('t1', LONG)).content).toBe(SHORT)
  })

  test('another daemon’s token: read again', async ($, on) => {
    const [w, s] = await begun($, on)
    w.token = 't2'
    const prune = w.replies['/v1/result']!
    w.replies['/v1/result'] = b => (w.asked.at(-1)!.init.headers['x-winnow-token'] === 't2' ? prune(b) : { status: 401, text: '' })
    w.runs = []
    expect((await s.bash('t1', LONG)).content).toBe(SHORT)
    expect(w.runs).toEqual([])
  })

  test('daemon hung: original, unstuck once, off for a minute with one notice', async ($, on) => {
    const [w, s] = await begun($, on)
    w.runs = []
    w.delay = 1e9
    const first = s.bash('t1', LONG)
    await w.clock.advance(2500)
    expect((await first).content).toBe(LONG)
    expect(w.runs).toEqual(['serve --unstick'])
    w.delay = 0
    w.asked = []
    expect((await s.bash('t2', LONG)).content).toBe(LONG)
    await w.clock.advance(59_000)
    expect((await s.bash('t3', LONG)).content).toBe(LONG)
    expect(w.asked).toEqual([])
    expect(w.runs).toEqual(['serve --unstick'])
    expect(w.told.length).toBe(1)
    await w.clock.advance(1000)
    expect((await s.bash('t4', LONG)).content).toBe(SHORT)
  })

  test('one message’s results wait 3.5 seconds in all, the next message’s anew', async ($, on) => {
    const [w, s] = await begun($, on)
    w.delay = 1500
    for (const id of ['t1', 't2', 't3', 't4']) await s.call(id, 'Bash', { command: id })
    const waits: [string, number, string][] = [['t1', 1500, SHORT], ['t2', 1500, SHORT], ['t3', 500, LONG], ['t4', 0, LONG]]
    for (const [id, ms, want] of waits) {
      const pending = s.result(id, LONG)
      await w.clock.advance(ms)
      expect((await pending).content, id).toBe(want)
    }
    expect(w.clock.now()).toBe(4500)
    expect(w.told).toEqual([]) // slow is not hung
    w.up = true
    const next = s.bash('t5', LONG)
    await w.clock.advance(1500)
    expect((await next).content).toBe(SHORT)
  })

  test('twelve parallel calls, and a subagent’s between them, keep apart', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.offer('a1')
    w.replies['/v1/result'] = b => ({ mode: 'active', texts: [`${b.loop} ${b.tool_use_id} ${b.input.command}`] })
    const ids = Array.from({ length: 12 }, (_, i) => `t${i}`)
    for (const id of ids) await s.call(id, 'Bash', { command: id })
    await s.call('sub', 'Bash', { command: 'sub' }, 'a1')
    const got = await Promise.all([...ids.map(id => s.result(id, LONG)), s.result('sub', LONG, {}, 'a1')])
    expect(got.map(b => b.content)).toEqual([...ids.map(id => `main ${id} ${id}`), 'a1 sub sub'])
  })

  test('no binary: nothing but originals', async ($, on) => {
    const w = new World(on)
    w.up = w.binary = false
    const s = new Session($)
    await s.start()
    await s.prompt('hello')
    expect((await s.bash('t1', LONG)).content).toBe(LONG)
    expect(w.registered).toEqual([])
    await w.clock.advance(100_000)
    expect((await s.bash('t2', LONG)).content).toBe(LONG)
    expect(w.told.length).toBe(1)
    expect(w.told[0]).toContain('/bin/winnow cannot be run')
  })

  test('the launcher finds no binary: what is missing is said once', async ($, on) => {
    const w = new World(on)
    w.up = w.startable = false
    w.missing = 'winnow: no binary for linux-amd64'
    const s = new Session($)
    await s.start()
    await s.prompt('hello')
    for (const id of ['t1', 't2']) {
      expect((await s.bash(id, LONG)).content).toBe(LONG)
      await w.clock.advance(100_000)
    }
    expect(w.told).toEqual(['winnow: no binary for linux-amd64; until then results stay whole'])
  })
})

describe('early', () => {
  const ended = ($: any, id: string, more: Json = {}) =>
    $.classic.PostToolUse({ tool_name: 'Bash', tool_input: {}, tool_use_id: id, permission_mode: 'default', duration_ms: 1, tool_response: { stdout: 'x'.repeat(8000), stderr: '', interrupted: false, ...more } })

  test('only for large outputs of parallel calls', async ($, on) => {
    const [w, s] = await begun($, on)
    await s.call('t1', 'Bash', { command: 'a' })
    await ended($, 't1')
    await s.call('t2', 'Bash', { command: 'b' })
    await ended($, 't1', { stdout: 'x'.repeat(7999) })
    await ended($, 't1', { persistedOutputPath: '/f' })
    await w.clock.settle()
    expect(w.posts('/v1/early')).toEqual([])
    await ended($, 't2')
    await w.clock.settle()
    expect(w.posts('/v1/early').map(b => [b.tool_use_id, b.input.command, b.texts[0].length])).toEqual([['t2', 'b', 8000]])
  })
})

describe('second judge', () => {
  const ended = ($: any, id: string) =>
    $.classic.PostToolUse({ tool_name: 'Bash', tool_input: {}, tool_use_id: id, permission_mode: 'default', duration_ms: 1, tool_response: { stdout: LONG, stderr: '', interrupted: false } })

  test('a question goes to the small model, and the text that its answer brings is put back', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    expect((await s.bash('t1', LONG)).content).toBe(SHORT)
    expect(w.completed.map(e => [e.model, e.systemBlocks, e.prompt, e.maxTokens, e.timeoutMs])).toEqual([['haiku', REQUEST.system, '0|a', 300, 4000]])
    expect(w.posts('/v1/second')).toEqual([{ session: 's1', loop: 'main', ticket: 'q-t1', answered: true, text: '{"hide":"3"}', reason: '', usage: USAGE }])
    expect(w.posts('/v1/result')[0]!.left_ms).toBe(4600)
  })

  test('no answer, for whatever reason: told as it is, and the local result stands', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    const none = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
    const failures: [Json, string][] = [
      [{ isAnswered: false, reason: 'api-error', status: 429, error: 'rate_limit', usage: none }, 'api-error'],
      [{ isAnswered: false, reason: 'aborted', usage: none }, 'aborted'],
      [{ isAnswered: false, reason: 'empty-reply', usage: USAGE }, 'empty-reply'],
    ]
    for (const [i, [says]] of failures.entries()) {
      w.says = () => says
      expect((await s.bash(`t${i}`, LONG)).content).toBe(LOCAL)
    }
    w.says = () => {
      throw new Error('a blocked model')
    }
    expect((await s.bash('t9', LONG)).content).toBe(LOCAL)
    expect(w.posts('/v1/second').map(b => [b.answered, b.text, b.reason, b.usage])).toEqual([...failures.map(([f, why]) => [false, '', why, f.usage]), [false, '', 'failed', undefined]])
    expect(w.told).toEqual([])
  })

  test('a client that hangs is given up after four seconds', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    w.thinks = 1e6
    const pending = s.bash('t1', LONG)
    await w.clock.advance(4049)
    expect(w.posts('/v1/second')).toEqual([])
    await w.clock.advance(1)
    expect((await pending).content).toBe(LOCAL)
    expect(w.posts('/v1/second').map(b => [b.answered, b.reason])).toEqual([[false, 'aborted']])
  })

  test('a row that has waited long gives up, and the usage is told when it is known', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    for (const id of ['t1', 't2']) await s.call(id, 'Bash', { command: id })
    w.thinks = 3800
    const first = s.result('t1', LONG)
    await w.clock.advance(3800)
    expect((await first).content).toBe(SHORT)
    const second = s.result('t2', LONG)
    await w.clock.advance(800)
    expect((await second).content).toBe(LOCAL)
    expect(w.posts('/v1/second')[1]).toEqual({ session: 's1', loop: 'main', ticket: 'q-t2', reason: 'no-time' })
    await w.clock.advance(3000)
    expect(w.posts('/v1/second').map(b => b.usage)).toEqual([USAGE, undefined, USAGE])
  })

  test('all rows of one message wait five seconds at most', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    w.thinks = 1e6
    for (const id of ['t1', 't2', 't3']) await s.call(id, 'Bash', { command: id })
    for (const [id, ms] of [['t1', 4050], ['t2', 550], ['t3', 0]] as const) {
      const pending = s.result(id, LONG)
      await w.clock.advance(ms)
      expect((await pending).content, id).toBe(LOCAL)
    }
    expect(w.clock.now()).toBe(1000 + 4600)
    w.thinks = 0
    expect((await s.bash('t4', LONG)).content).toBe(SHORT) // the next message has its own time
  })

  test('questions of one message are put together, before their rows come', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    w.thinks = 3000
    for (const id of ['t1', 't2', 't3']) await s.call(id, 'Bash', { command: id })
    for (const id of ['t1', 't2', 't3']) await ended($, id)
    await w.clock.settle()
    expect(w.completed.length).toBe(3)
    const rows = (async () => {
      const got = []
      for (const id of ['t1', 't2', 't3']) got.push((await s.result(id, LONG)).content)
      return got
    })()
    await w.clock.advance(3000)
    expect(await rows).toEqual([SHORT, SHORT, SHORT])
    expect(w.completed.length).toBe(3)
    expect(w.posts('/v1/second').length).toBe(3)
  })

  test('a daemon that does not know the ticket gives the local result', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    w.replies['/v1/second'] = () => ({ outcome: 'unknown' })
    expect((await s.bash('t1', LONG)).content).toBe(LOCAL)
    expect(w.posts('/v1/result').map(b => b.asked)).toEqual([undefined, true])
  })

  test('a subagent’s question bears its loop', async ($, on) => {
    const [w, s] = await begun($, on, w => w.consults())
    await s.offer('a1')
    expect((await s.bash('t1', LONG, 'a1')).content).toBe(SHORT)
    expect(w.posts('/v1/second').map(b => b.loop)).toEqual(['a1'])
  })

  test('off: nobody is asked', async ($, on) => {
    const [w, s] = await begun($, on)
    expect((await s.bash('t1', LONG)).content).toBe(SHORT)
    expect(w.completed).toEqual([])
    expect(w.posts('/v1/result')[0]!.left_ms).toBe(undefined)
  })
})

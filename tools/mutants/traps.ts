import type { Mutant, Trap } from './mutant.ts'

const traps_test = 'apps/terminal/vf105/traps.test.ts'
const device = (file: string) => `apps/terminal/vf105/${file}.ts`
const adapter = (file: string) => `kit/terminal-protocol/vf105/${file}.ts`
const sync = (file: string) => `domains/devices/server/sync/${file}.ts`
const contract = { of: 'apps/terminal/driver.contract.test.ts' }
const adoption = { of: adapter('adoption.test'), test: 'a device is adopted in five steps, each of which it takes; nothing of the factory’s opens it any more' }
const long_run = { of: sync('vf105.talk.test'), test: '31-A6 of 10,000 commands, 20 % of whose answers are lost and 10 % say 100004, none is executed twice and none is sent again before its rows were read; in the end the device holds what it is to hold' }

type Place = Pick<Mutant, 'test'> & Partial<Pick<Mutant, 'of'>>

function mutant(file: string, rule: string, without: string, { test, of = traps_test }: Place): Mutant {
  return { file, rule, without, test, of }
}

const t = {
  topics: { test: 'reply topics are shared: the prefix with the serial number makes them the device’s own' },
  twice: { test: '31-A6 a serial that comes twice is done twice; no two commands of ours have the same' },
  serial: { test: 'a serial has exactly 32 characters' },
  silence: { test: 'an unknown action is passed over in silence' },
  modify: { test: 'modifyUser takes rights away; we never send it' },
  face: { test: '31-A7 a face goes alone: one and a card are two commands, three are three' },
  size: { test: '31-A7 512 KB are counted of the picture, not of its Base64: 512 go, 513 never' },
  hundred: { test: 'a batch of 101 is refused whole; ours have 100' },
  codes: { test: '200000 means that nothing was done, 100000 that the others were' },
  config: { test: '31-A12 of five fields with a bad one four are set, and the bad one says why' },
  alarms: { test: 'alarms that nobody hears are lost; the fire is seen in the settings afterwards' },
  oldest: { test: '31-A9 at the limit the oldest record is overwritten, read or not' },
  blocked: { test: 'a record that nobody takes holds up the rest, later and later' },
  corrupt: { test: '31-A10 a corrupt record is acknowledged among the dead letters' },
  access: { test: 'in an access 0 is good, and it is an array of one' },
  beats: { test: 'it neither beats nor starts a clean session unless it is told to' },
  secrets: { test: '31-A14 a password that was typed and the network’s key leave nothing behind' },
  pictures: { test: 'pictures come back with getKey unless the device is told not to keep them' },
  zone: { test: '31-A13 another time zone restarts it, and the receipt is good' },
  unlinks: { test: 'a permission that is deleted is taken from everybody: it goes last' },
  leaves: { test: 'a person who is deleted leaves the permissions' },
  kinds: { test: 'types do not stand in for each other' },
  digits: { test: '31-A16 a password of four digits never goes to a device that takes six' },
  late: { test: 'what took too long may be done: its rows are read before they are sent again' },
} as const

/** The traps in the words and the order of chapter 31 §5.8. */
export const traps: readonly Trap[] = [
  { trap: 'shared reply topics', mutants: [
    mutant(adapter('driver'), "    if (said.uuid !== client_id) return { kind: 'bad', reason: no_identity, detail: said.uuid.slice(0, 64) }\n", '', t.topics),
    mutant(adapter('driver'), 'const where = readTopic(ownPrefix(prefix, client_id), topic)', "const where = readTopic('', topic) ?? readTopic(ownPrefix(prefix, client_id), topic)", t.topics),
  ] },
  { trap: 'no de-dup', mutants: [
    mutant(device('device'), 'const performed = perform(', 'if (this.executed.has(serial)) return\n    const performed = perform(', t.twice),
    mutant(adapter('envelope'), "return id.replaceAll('-', '')", "return id.replaceAll('-', '').slice(0, 31)", t.serial),
    mutant(sync('vf105.talk'), 'const id = randomUUID()', "const id = `11111111-2222-3333-4444-${String(request.rows.length).padStart(12, '5')}`", long_run),
  ] },
  { trap: 'silence on unknown action', mutants: [
    mutant(device('device'), 'if (!performed) return\n', "if (!performed) return this.#reply(action, serial, refused('未知命令'))\n", t.silence),
  ] },
  { trap: 'modifyUser clears rights', mutants: [
    mutant(device('users'), '{ name: before.name, ...sent }', '{ name: before.name, permissionIds: before.permissionIds, ...sent }', t.modify),
    mutant(adapter('plan'), "...cut('insertUser', ", "...cut('modifyUser', ", t.modify),
    mutant(adapter('plan'), 'permissionIds: permission_ids, ', '', { ...contract, test: 'somebody who may pass passes' }),
  ] },
  { trap: 'one face per batch, alone', mutants: [
    mutant(device('keys'), '  if (rows.length > 1) return batch_errors.face_alone\n', '', t.face),
    mutant(adapter('plan'), "...of('put', 'credential', true).map((row): Request => ({ action: 'insertKey', data: [keyRow(row)], rows: [row], is_read: false })),", "...cut('insertKey', of('put', 'credential', true), limits, keyRow),", t.face),
    mutant(adapter('plan'), "(op === 'delete' || isFace(row) === is_face)", "(op === 'delete' || is_face === (isFace(row) && good.length === 1))", t.face),
  ] },
  { trap: '512 KB is decoded size', mutants: [
    mutant(device('quirks'), "Buffer.byteLength(picture.code, 'base64') > photo_kb", 'picture.code.length > photo_kb', t.size),
    mutant(device('quirks'), "picture && Buffer.byteLength(picture.code, 'base64') > photo_kb * kib", 'false', t.size),
    mutant(adapter('credential'), 'return bytes.length > most', 'return photo.length > most', t.size),
    mutant(adapter('credential'), 'return bytes.length > most', 'return bytes.length > 2 * most', t.size),
  ] },
  { trap: '100 rows', mutants: [
    mutant(device('quirks'), 'if (countOf(data) > rows_per_command)', 'if (countOf(data) > 2 * rows_per_command)', t.hundred),
    mutant(adapter('plan'), 'last.length < rows_per_command && ', '', t.hundred),
  ] },
  { trap: '200000 all-or-nothing vs 100000 partial', mutants: [
    mutant(device('answer'), 'code: codes.failed, message: partly', 'code: codes.parameter, message: partly', t.digits),
    mutant(adapter('receipt'), '  if (count > 1) return {', '  if (count > 100) return {', t.codes),
    mutant(adapter('receipt'), ": { status: 'applied' }\n", ": { status: 'retry' }\n", t.codes),
    mutant(adapter('plan'), '!row.is_alone && !last.some(other => other.row.is_alone) && ', '', t.codes),
  ] },
  { trap: 'setConfig data is an object both ways', mutants: [
    mutant(device('settings'), 'faults.length === 0 ? done(latest)', 'faults.length === 0 ? done()', t.zone),
    mutant(device('settings'), "faults.join('; ')}`, data: latest }", "faults.join('; ')}`, data: faults }", t.config),
    mutant(adapter('receipt'), 'JSON.stringify(held[field]) === JSON.stringify(value), message', "code === '000000', message", t.config),
  ] },
  { trap: 'alarms lost', mutants: [
    mutant(device('device'), "if (this.#is_connected) this.#say('alarm', { type, value })", "if (this.#is_connected || value === 1) this.#say('alarm', { type, value })", t.alarms),
    mutant(device('device'), '    Object.assign(this.store.config.access ?? {}, { fireStatus: 1 })\n', '', t.alarms),
  ] },
  { trap: 'oldest record overwritten at 2,000', mutants: [
    mutant(device('store'), "while (this.records.length >= this.number('access', 'offlineAccessNum'))", "while (this.records.length > 2 * this.number('access', 'offlineAccessNum'))", t.oldest),
    mutant(device('store'), 'if (this.records.shift()?.is_uploaded', 'if (this.records.pop()?.is_uploaded', t.oldest),
  ] },
  { trap: 'unacked record blocks the rest', mutants: [
    mutant(device('uploader'), '      this.#out = undefined\n      this.#later()\n', '      this.#out = undefined\n      this.#store.taken(record.id)\n      this.#later()\n', t.blocked),
    mutant(device('uploader'), 'Math.min(this.#wait_ms * 2, longest_wait_ms)', 'first_wait_ms', t.blocked),
    mutant(adapter('event'), 'detail: `${name} ${re}`, settles: { name, re } }', 'detail: `${name} ${re}` }', t.corrupt),
  ] },
  { trap: 'access uses result 0 and array of 1', mutants: [
    mutant(device('device'), 'result: is_open ? 0 : 1', 'result: is_open ? 1 : 0', { ...contract, test: 'somebody who may pass passes' }),
    mutant(device('device'), "this.#say('access', [{ userId, type, timeStamp, result, name, code, extra, error }], String(id))", "this.#say('access', { userId, type, timeStamp, result, name, code, extra, error }, String(id))", { ...contract, test: 'somebody who may pass passes' }),
    mutant(adapter('event'), 'result === 0 ?', 'result === 1 ?', t.access),
    mutant(adapter('event'), '})).length(1)', '}))', t.access),
  ] },
  { trap: 'heartbeats default off', mutants: [
    mutant(adapter('config-fields'), 'heart_en: flag(0)', 'heart_en: flag(1)', t.beats),
    mutant(device('device'), "if (this.#is_connected && this.store.number('sys', 'heart_en') === 1)", 'if (this.#is_connected)', t.beats),
    mutant(adapter('adoption'), 'heart_en: 1, ', '', adoption),
  ] },
  { trap: 'cleanSession default 0 replays stale commands', mutants: [
    mutant(adapter('config-fields'), 'cleanSession: flag(0)', 'cleanSession: flag(1)', t.beats),
    mutant(adapter('adoption'), 'cleanSession: 1, ', '', adoption),
  ] },
  { trap: 'clear passwords in getConfig/connect/access(400)', mutants: [
    mutant(device('settings'), '  return done(found)', "  return done({ ...found, ...(found.net ? { net: { ...found.net, psk: '***' } } : {}) })", t.secrets),
    mutant(adapter('driver'), 'flatConfig(redact(data))', 'flatConfig(data)', t.secrets),
    mutant(adapter('event'), 'facts: { ...object(redact(data)), time }', 'facts: { ...object(data), time }', t.secrets),
    mutant(adapter('event'), "...(is_card && code !== ''", "...(code !== ''", t.secrets),
    mutant(adapter('redact'), "['password', 'psk', 'code',", "['password', 'code',", t.secrets),
    mutant(adapter('redact'), "['password', 'psk', 'code',", "['psk', 'code',", t.secrets),
  ] },
  { trap: 'pictures in getKey', mutants: [
    mutant(device('keys'), "isPicture(key) && !keeps ? { ...key, code: '' } : key", 'key', t.pictures),
    mutant(device('keys'), "isPicture(key) && !keeps ? { ...key, code: '' } : key", "isPicture(key) ? { ...key, code: '' } : key", t.pictures),
    mutant(adapter('readback'), 'return keeps_pictures ? face_page_with_pictures : face_page', 'return face_page', t.pictures),
    mutant(adapter('adoption'), 'faceImageRetention: 0, ', '', adoption),
  ] },
  { trap: 'self-restart after timeZone', mutants: [
    mutant(adapter('config'), "key === 'ntp.timeZone' || (key", '(key', t.zone),
  ] },
  { trap: 'delPermission unlinks people', mutants: [
    mutant(device('permissions'), '    for (const user of store.users.values()) user.permissionIds = user.permissionIds.filter(id => id !== permissionId)\n', '', t.unlinks),
    mutant(adapter('plan'), "      ...cut('delKey',", "      ...cut('delPermission', of('delete', 'permission'), limits, row => row.key),\n      ...cut('delKey',", t.unlinks),
  ] },
  { trap: 'delUser keeps permissions', mutants: [
    mutant(device('users'), 'if (!store.users.delete(userId)) return', 'store.permissions.clear()\n    if (!store.users.delete(userId)) return', t.leaves),
    mutant(device('users'), '.filter(one => one.userId === userId)) store.keys.delete(key.keyId)', '.filter(one => one.userId === userId)) void key', t.leaves),
    mutant(sync('changes'), "(row.kind !== 'permission' || !in_force?.has(row.row_key))", "row.kind !== 'permission'", long_run),
  ] },
  { trap: 'types do not substitute', mutants: [
    mutant(device('verify'), 'one => one.type === type && one.code', 'one => one.code', t.kinds),
    mutant(device('verify'), '? code.toUpperCase() : code', '? code : code', t.kinds),
  ] },
  { trap: 'password length is per device', mutants: [
    mutant(device('keys'), "const digits = store.number('sys', 'passwordLength')", 'const digits = 6', t.digits),
    mutant(device('keys'), 'if (type === types.password && !', "if (type === '' && !", t.digits),
    mutant(adapter('credential'), '`^[0-9]{${password_length}}$`', '`^[0-9]{6}$`', t.digits),
    mutant(adapter('credential'), "body.kind === 'password' && password_length !== undefined", 'password_length === 0', t.digits),
  ] },
  { trap: 'time-out does not cancel', mutants: [
    mutant(device('device'), 'const performed = perform(', 'const performed = this.faults.slow > 0 ? { answer: done() } : perform(', t.late),
    mutant(adapter('receipt'), "return { status: 'unknown', code }\n  if (code === codes.offline)", "return { status: 'retry', code }\n  if (code === codes.offline)", t.late),
    mutant(sync('sorting'), "unknown: by(undefined), later: by('retry')", "unknown: [], later: by('retry', undefined)", long_run),
    mutant(sync('vf105.talk'), 'if (reads === null) await book.lost(rows)', "if (reads === null) await Object(book).again(rows)", long_run),
    mutant(sync('vf105.talk'), '(await recheck(book)) ?? (await between())', '(await between())', long_run),
  ] },
]

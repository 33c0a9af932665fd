// Runs before `start`, `dev` and `test` on whatever Node the machine has (20 or later): built-in modules only, plain JavaScript.
// It installs the locked packages (Node 24 is one of them) and builds what has changed: all of it, or what its arguments name (`none`, `server`, `device-console`).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The server; and what the browser gets: the console, its help, the sub-applications, the player of boards, and from a virtual terminal its own console. `of`: what it is built of, unless it is all pages. */
const builds = [
  { name: 'server', app: 'apps/server', dist: 'dist', args: [], of: serverSources() },
  { name: 'console', app: 'apps/console', dist: 'dist', args: [] },
  { name: 'help', app: 'apps/console', dist: 'app/help/page/dist', args: ['--config', 'help.config.ts'] },
  { name: 'sub-applications', app: 'apps/mini', dist: 'dist', args: [] },
  { name: 'board-player', app: 'apps/board', dist: 'dist', args: [], of: ['apps/board', 'kit/contract', 'domains/publishing/contract'] },
  { name: 'device-console', app: 'apps/terminal-console', dist: 'dist', args: [], of: ['apps/terminal-console', 'kit/terminal-protocol', 'kit/contract/checks'] },
]
const oldest_node = 20
const wanted_node = 24

const major = version => Number(version.replace(/^v/, '').split('.')[0])

if (major(process.version) < oldest_node) stop(`Node ${oldest_node} or later is needed; this machine has ${process.version}.`)
if (!isInstalled()) install()
const node = findNode()
const named = process.argv.slice(2)
builds.filter(({ name }) => named.length === 0 || named.includes(name)).forEach(build => buildOne(node, build))
noteBuild()

function stop(sentence) {
  console.error(sentence)
  process.exit(1)
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/** npm leaves `node_modules/.package-lock.json`, what it really installed; everything the lockfile asks for must be there. */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const installed = readJson('node_modules/.package-lock.json').packages
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true
    if (wanted.link) return existsSync(join(root, path))
    return wanted.optional || installed[path]?.version === wanted.version
  })
}

function install() {
  console.log('Installing packages (npm ci) …')
  const npm = process.env.npm_execpath
  const run = npm
    ? spawnSync(process.execPath, [npm, 'ci', '--loglevel=error'], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', ['ci', '--loglevel=error'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (run.status !== 0) stop('npm ci failed; see above.')
}

/** The Node that npm scripts find first: the locked package, else the machine's own when it is new enough. */
function findNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const locked = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', file)
  if (existsSync(locked)) return check(locked)
  if (major(process.version) >= wanted_node) return process.execPath
  return stop(`No packaged Node ${wanted_node} exists for ${process.platform} ${process.arch}: install Node ${wanted_node} on this machine (it has ${process.version}).`)
}

function check(binary) {
  const run = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  if (run.status === 0 && major(run.stdout) >= wanted_node) return binary
  return stop(`The packaged Node does not run here (${binary}): ${run.error?.message ?? run.stdout}${run.stderr ?? ''}`)
}

function buildOne(binary, { name, app, dist: folder, args, of }) {
  const dist = join(root, app, folder)
  const stamp = join(dist, '.sources')
  const sources = of ? hashFiles(of) : hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  console.log(`Building the ${name.replace('-', ' ')} (vite build) …`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const run = spawnSync(binary, [vite, 'build', '--logLevel', 'warn', ...args], { cwd: join(root, app), stdio: 'inherit' })
  if (run.status !== 0) stop(`The ${name.replace('-', ' ')} does not build; see above.`)
  writeFileSync(stamp, sources)
}

/** Which build this is, beside the bundle and never in it: the same sources give the same bundle whoever builds them. Without git the hash of the sources stands for the commit. */
function noteBuild() {
  const stamp = join(root, 'apps/console/dist/.sources')
  if (!existsSync(stamp)) return
  const git = (...args) => {
    const run = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
    return run.status === 0 ? run.stdout.trim() : null
  }
  // A copy that lies inside somebody else's checkout is not of his commit.
  const commit = existsSync(join(root, '.git')) ? git('rev-parse', 'HEAD') : null
  const changed = commit !== null && git('status', '--porcelain') !== ''
  const now = { commit, changed, sources: readFileSync(stamp, 'utf8') }
  const file = join(root, 'apps/console/dist/build.json')
  const { built_at: _built_at, ...before } = existsSync(file) ? readJson('apps/console/dist/build.json') : {}
  if (JSON.stringify(before) !== JSON.stringify(now)) writeFileSync(file, `${JSON.stringify({ ...now, built_at: new Date().toISOString() })}\n`)
}

function serverSources() {
  const domains = readdirSync(join(root, 'domains')).flatMap(d => [`domains/${d}/contract`, `domains/${d}/server`])
  return ['apps/server', 'apps/mini', 'kit/contract', 'kit/server', 'kit/terminal-protocol', ...domains]
}

/** One hash over everything that ends up in the browser. */
function hashSources() {
  const domains = readdirSync(join(root, 'domains')).flatMap(d => [`domains/${d}/contract`, `domains/${d}/web`])
  return hashFiles(['apps/console', 'apps/mini', 'kit/contract', 'kit/web', ...domains])
}

/** One hash over the sources of some folders and the packages they may use. */
function hashFiles(folders) {
  const hash = createHash('sha256')
  const files = ['package-lock.json', ...folders.flatMap(listFiles)]
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file))).update('\0')
  return hash.digest('hex')
}

function listFiles(folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['dist', 'node_modules', 'testing', 'suites', 'faults'].includes(entry.name) ? [] : listFiles(path)
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path]
  })
}

import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { findChromium } from './chromium.ts'
import { findPostgres } from './postgres.ts'

/** Something a test run needs from the machine: the Debian package that brings it and how to see that it is there. */
export type Need = { what: string; apt: string; isThere: () => boolean }

const nginx_places = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx']

export const browserNeeds: Need[] = [
  { what: 'Chromium', apt: 'chromium-headless-shell', isThere: () => findChromium() !== undefined },
  { what: 'a Chinese font', apt: 'fonts-noto-cjk', isThere: hasChineseFont },
]
const databaseNeeds: Need[] = [
  { what: 'PostgreSQL 15 or later', apt: 'postgresql', isThere: () => findPostgres() !== undefined },
]
/** Of the tests that let servers fail: they bring their own PostgreSQL, stand behind nginx as in life, and have their devices at another broker. */
export const faultNeeds: Need[] = [
  ...databaseNeeds,
  { what: 'nginx', apt: 'nginx-light', isThere: () => nginx_places.some(path => existsSync(path)) },
  { what: 'Mosquitto', apt: 'mosquitto', isThere: () => existsSync('/usr/sbin/mosquitto') },
  { what: 'OpenSSL', apt: 'openssl', isThere: () => existsSync('/usr/bin/openssl') },
]

function hasChineseFont(): boolean {
  const fonts = spawnSync('fc-list', [':lang=zh-cn', 'family'], { encoding: 'utf8' })
  return fonts.status === 0 && fonts.stdout.trim() !== ''
}

/** What to do on this machine: nothing, install these packages, or give up with the sentence. Pure, so that it can be tested. */
export function planMachine(needs: Need[], is_root: boolean, has_apt: boolean): { install: string[] } | { refuse: string } {
  const missing = needs.filter(need => !need.isThere())
  if (missing.length === 0) return { install: [] }
  if (is_root && has_apt) return { install: missing.map(need => need.apt) }
  const what = missing.map(need => need.what).join(', ')
  const packages = missing.map(need => need.apt).join(' ')
  return { refuse: `The tests need ${what}: run \`sudo apt-get install -y ${packages}\` (or run as root on Debian), then again.` }
}

/**
 * Makes sure that everything in `needs` exists: installs it by apt-get when root.
 * Throws an Error with one clear sentence when it cannot; never skips.
 */
export function prepareMachine(needs: Need[]): void {
  const has_apt = spawnSync('apt-get', ['--version']).status === 0
  const plan = planMachine(needs, process.getuid?.() === 0, has_apt)
  if ('refuse' in plan) throw new Error(plan.refuse)
  if (plan.install.length === 0) return
  aptInstall(plan.install)
  const still = needs.filter(need => !need.isThere()).map(need => need.what)
  if (still.length > 0) throw new Error(`apt-get installed ${plan.install.join(' ')}, but ${still.join(', ')} cannot be found.`)
}

function aptInstall(packages: string[]): void {
  apt('update')
  if (packages.includes('postgresql')) {
    // Debian starts a cluster on installation; the tests bring their own and leave no server behind.
    apt('install', '-y', '--no-install-recommends', 'postgresql-common')
    appendFileSync('/etc/postgresql-common/createcluster.conf', '\ncreate_main_cluster = false\n')
  }
  apt('install', '-y', '--no-install-recommends', ...packages, 'fontconfig')
}

function apt(...args: string[]): void {
  // A run level of 1 keeps Debian from starting what it has just installed.
  execFileSync('apt-get', ['-q', ...args], { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } })
}

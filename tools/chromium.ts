import { existsSync } from 'node:fs'

/** The browser without a window first: it does the same for less. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Flags of every browser that a test or a bench starts: no sandbox (tests run as root), no traffic of the browser's own. */
export const chromium_flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Path of the machine's Chromium; undefined when there is none (browser downloads are never used). */
export function findChromium(): string | undefined {
  return places.find(path => existsSync(path))
}

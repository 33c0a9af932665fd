import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Manifest = z.object({ version: z.string() })
/** Written by tools/bootstrap.mjs when the console is built; `commit` null where there was no git. */
const Built = z.object({ commit: z.string().nullable(), changed: z.boolean(), sources: z.string(), built_at: z.string() })

/** `version`: what clients and terminals see (1.4.9). `build_id`: which build this is; commit and time, or what can honestly be said instead. */
export type Build = { version: string; build_id: string }

/** Reads what the build left behind; a checkout that was never built says so. */
export function readBuild(root: string): Build {
  const { version } = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const file = join(root, 'apps/console/dist/build.json')
  const built = existsSync(file) ? Built.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined
  return { version, build_id: built ? sayBuild(built) : 'source' }
}

/** `3f2a91c0d4e5 2026-11-21T03:10Z`; `+` behind the commit: files had been changed; `sources-…`: no git, a hash of the console's sources instead. */
export function sayBuild({ commit, changed, sources, built_at }: z.output<typeof Built>): string {
  const name = commit === null ? `sources-${sources.slice(0, 12)}` : `${commit.slice(0, 12)}${changed ? '+' : ''}`
  return `${name} ${built_at.slice(0, 16)}Z`
}

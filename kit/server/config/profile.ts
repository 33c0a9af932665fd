import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

const shipped = join(import.meta.dirname, 'profiles')
const name_shape = /^[a-z0-9][a-z0-9-]*$/

/** A profile is a file of settings, nothing else (chapter 10 §12): names of settings, and their values as a variable would hold them. */
const Profile = z.record(z.string(), z.string())
export type Profile = z.output<typeof Profile>

/** What a profile may not say: which environment and which profiles there are, and where the secrets lie. */
const not_of_a_profile = ['CAMPUS_ENV', 'CAMPUS_PROFILE', 'CAMPUS_PROFILE_DIR', 'CAMPUS_SECRETS_FILE', 'DATABASE_URL', 'DATABASE_OWNER_URL', 'CAMPUS_MQTT_URL', 'CAMPUS_MQTT_HOOK_SECRET', 'CAMPUS_VF105_QR_KEY']

/**
 * Reads a profile by name: from the installation's own folder (CAMPUS_PROFILE_DIR), else one of those the product brings.
 * @throws ConfigError naming the profile, and what there is instead
 */
export function readProfile(name: string, folder: string | undefined): Profile {
  const file = name_shape.test(name) ? foldersOf(folder).map(from => join(from, `${name}.json`)).find(path => existsSync(path)) : undefined
  if (file === undefined) throw new ConfigError(`CAMPUS_PROFILE: unknown profile ${name}; there are: ${profileNames(folder).join(', ')}`)
  const parsed = Profile.safeParse(jsonOf(readFileSync(file, 'utf8')))
  if (!parsed.success) throw new ConfigError(`CAMPUS_PROFILE: ${file} is no file of settings: one JSON object of texts`)
  const strange = Object.keys(parsed.data).find(key => not_of_a_profile.includes(key))
  if (strange !== undefined) throw new ConfigError(`${strange}: cannot be set by a profile (${name})`)
  return parsed.data
}

/** The profiles that may be named. */
export function profileNames(folder: string | undefined): string[] {
  const files = foldersOf(folder).flatMap(from => (existsSync(from) ? readdirSync(from) : []))
  return [...new Set(files.flatMap(file => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : [])))].toSorted()
}

function foldersOf(folder: string | undefined): string[] {
  return folder === undefined ? [shipped] : [folder, shipped]
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

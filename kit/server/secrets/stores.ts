import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Config } from '../config/index.ts'
import { ConfigError, mayCallHost } from '../config/index.ts'

const origin = z.url({ protocol: /^https?$/ }).transform(text => new URL(text).origin)

const StoreKey = z.strictObject({
  /** null: every school that has none of its own */
  school_id: z.number().int().nullable(),
  /** 1 Aliyun OSS, 2 Qiniu, 3 S3 or minio */
  oss_type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  access_key_id: z.string().min(1),
  access_key_secret: z.string().min(1),
  /** where browsers send their forms: of OSS the address of the bucket, of Qiniu that of the region's upload, of S3 that of the server */
  origin,
  /** Qiniu: where files are read, and where they are deleted */
  read_origin: origin.optional(),
  manage_origin: origin.default('https://rs.qiniuapi.com'),
})
export type StoreKey = z.output<typeof StoreKey>

/**
 * The keys of outside stores, from the JSON list in CAMPUS_STORES_FILE. Without it every school keeps its files in the embedded store.
 * @throws ConfigError naming what cannot be read, or a host that CAMPUS_OUTSIDE_HOSTS does not
 */
export function loadStores(config: Pick<Config, 'CAMPUS_STORES_FILE' | 'CAMPUS_ENV' | 'CAMPUS_OUTSIDE_HOSTS'>): readonly StoreKey[] {
  const file = config.CAMPUS_STORES_FILE
  if (file === undefined) return []
  const parsed = z.array(StoreKey).safeParse(readJson(file))
  if (!parsed.success) throw new ConfigError(`CAMPUS_STORES_FILE: ${parsed.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`).join('; ')}`)
  const barred = [...new Set(parsed.data.flatMap(calledHosts))].filter(host => !mayCallHost(config, host))
  // Better no start than a server whose uploads all fail.
  if (barred.length > 0) throw new ConfigError(`CAMPUS_STORES_FILE: add ${barred.join(', ')} to CAMPUS_OUTSIDE_HOSTS, or the server may not call this store`)
  return parsed.data
}

/** Hosts that the server itself calls; only Qiniu is managed at an address of its own. */
function calledHosts({ oss_type, origin: own, read_origin, manage_origin }: StoreKey): string[] {
  return (oss_type === 2 ? [own, read_origin ?? own, manage_origin] : [own]).map(address => new URL(address).hostname)
}

/** Addresses that a page may send forms to and show pictures from, beside its own. */
export function storeOrigins(stores: readonly StoreKey[]): readonly string[] {
  return [...new Set(stores.flatMap(store => [store.origin, ...(store.read_origin === undefined ? [] : [store.read_origin])]))]
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new ConfigError(`CAMPUS_STORES_FILE: ${file} is no readable JSON file`)
  }
}

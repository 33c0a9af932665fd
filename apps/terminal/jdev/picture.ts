import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { DownRow, RowResult } from '@kit/terminal-protocol'

/** A JPEG begins so (SOI). */
const jpg_start = [0xff, 0xd8] as const
/** Pictures that are fetched at a time. */
const lanes = 4
/** Lines stay open between two pictures. */
const [plain, secured] = [new http.Agent({ keepAlive: true }), new https.Agent({ keepAlive: true })]

/** Rows with photographs: each is followed when its picture is here. */
export async function fetchRows(rows: readonly DownRow[], server: string, apply: (row: DownRow) => RowResult): Promise<RowResult[]> {
  const results: RowResult[] = []
  const left = [...rows]
  const lane = async () => {
    for (let row = left.shift(); row; row = left.shift()) results.push((await hasPicture(row, server)) ? apply(row) : { k: row.k, key: row.key, ver: row.ver, status: 'retry', code: 'blob' })
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** Fetches the photograph of a row and looks whether it is the one that was announced; a row without one needs none. */
async function hasPicture({ blob }: DownRow, server: string): Promise<boolean> {
  if (!blob) return true
  const [hash, url] = [createHash('sha256'), URL.parse(blob.url, server === '' ? undefined : server)]
  // A terminal that was not told where the server is waits for being told.
  if (url === null) return false
  const { first, length } = await read(url, piece => hash.update(piece))
  return length === blob.bytes && first?.[0] === jpg_start[0] && first[1] === jpg_start[1] && hash.digest('hex') === blob.sha256
}

/** Reads what lies at an address, piece by piece; of an address that fails nothing counts. A terminal fetches thousands of small files: with `fetch` it spends more on them than on everything else. */
function read(url: URL, take: (piece: Buffer) => void): Promise<{ first: Buffer | undefined; length: number }> {
  return new Promise(resolve => {
    let [first, length]: [Buffer | undefined, number] = [undefined, 0]
    const fail = () => resolve({ first: undefined, length: 0 })
    const heard = (response: http.IncomingMessage) => {
      if (response.statusCode !== 200) return void response.resume().once('close', fail)
      response.on('data', (piece: Buffer) => {
        first ??= piece
        length += piece.length
        take(piece)
      })
      response.once('end', () => resolve({ first, length })).once('close', fail)
    }
    const request = url.protocol === 'https:' ? https.get(url, { agent: secured }, heard) : http.get(url, { agent: plain }, heard)
    request.once('error', fail)
  })
}

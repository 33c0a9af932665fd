// The baseline of requests a second: bare node:http that runs the statements of the menu through pg and writes them as JSON.
import { createServer } from 'node:http'
import pg from 'pg'
import { poolQuery } from './query.ts'
import { bareMenu } from './menu-sql.ts'

const { BARE_URL, CAMPUS_PORT } = process.env
const pool = new pg.Pool({ connectionString: BARE_URL, max: 10 })
const query = poolQuery(pool)

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare')
  const answer = (text: string) => response.setHeader('content-type', 'application/json').end(text)
  const school_id = Number(searchParams.get('school_id'))
  const read = pathname === '/menu' ? () => bareMenu(query, school_id) : undefined
  if (!read) return void answer('{}')
  read().then(
    data => answer(JSON.stringify({ code: 600, msg: '', data })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(Number(CAMPUS_PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close(() => void pool.end())
  server.closeAllConnections()
})

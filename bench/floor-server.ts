// The floor of a list: bare node:http that reads one narrow page and one count with statements kept by name, and sends as many bytes as the product.
import { createServer } from 'node:http'
import pg from 'pg'

const { BARE_URL, CAMPUS_PORT, FLOOR_BYTES = '0' } = process.env
const pool = new pg.Pool({ connectionString: BARE_URL, max: 10 })
const filler = 'x'.repeat(Number(FLOOR_BYTES))
const list = 'select user_id, user_name, student_no, dept_id, (select pupils from floor_count) as total from floor_roll order by student_no limit 20'
const found = (where: string) => `select user_id, user_name, student_no, dept_id, count(*) over ()::int as total from floor_roll where ${where} order by student_no limit 20`
const statements: Record<string, string> = {
  list, sign: found('user_name like $1'), name: found('user_name like $1'), number: found('student_no like $1'), class: found('dept_id = $1::bigint'),
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor')
  const name = pathname.slice(1)
  const text = statements[name]
  if (text === undefined) return void response.end('{}')
  const asked = searchParams.get('of')
  pool.query({ name, text, values: asked === null ? [] : [asked] }).then(
    ({ rows }) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: rows, filler: filler.slice(20 * rows.length * 10) })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(Number(CAMPUS_PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close(() => void pool.end())
  server.closeAllConnections()
})

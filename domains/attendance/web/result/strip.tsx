import { ATTEND_STATE, section_names } from '@campus/attendance/contract'
import type { DetailRow, Who } from '@campus/attendance/contract'
import type { PageSearch } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import type { ReactNode } from 'react'
import { detail_apis } from './result-words.ts'

const most_rows = 300
const names: Readonly<Record<string, string>> = ATTEND_STATE.names

/** Day × section of one person: each expectation a cell in the colour of its state (chapter 55 §5). */
export function Strip({ who, values, onPick }: { who: Who; values: PageSearch; onPick: (row: DetailRow) => void }): ReactNode {
  const query = useCall(detail_apis[who].personal, { ...values, page_index: 1, page_size: most_rows }, { keep: true })
  return (
    <section className="attend-strip" aria-label="逐日节次">
      <Loaded query={query} rows={3}>
        {({ list }) => <Grid rows={list} onPick={onPick} />}
      </Loaded>
    </section>
  )
}

function Grid({ rows, onPick }: { rows: readonly DetailRow[]; onPick: (row: DetailRow) => void }): ReactNode {
  const days = [...new Set(rows.map(row => row.lesson_date))].toSorted()
  const sections = [...new Set(rows.map(row => row.section))].toSorted((a, b) => a - b)
  if (days.length === 0) return null
  return (
    <table>
      <caption>{rows[0]?.user_name} 逐日节次</caption>
      <thead>
        <tr>
          <th scope="col">节次</th>
          {days.map(day => (
            <th key={day} scope="col">
              {day.slice(5)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sections.map(section => (
          <tr key={section}>
            <th scope="row">{section_names[String(section)] ?? section}</th>
            {days.map(day => (
              <td key={day}>
                {rows
                  .filter(row => row.lesson_date === day && row.section === section)
                  .map(row => (
                    <Cell key={row.row_key} row={row} onPick={onPick} />
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ row, onPick }: { row: DetailRow; onPick: (row: DetailRow) => void }): ReactNode {
  const name = names[String(row.state)] ?? ''
  return (
    <button
      type="button"
      className={`attend-cell attend-cell-${row.state}`}
      title={`${row.lesson_date} 第${row.section}节 ${row.course_name ?? ''} ${name}`}
      aria-label={`${row.lesson_date} 第${row.section}节 ${name}`}
      onClick={() => onPick(row)}
    >
      {name.slice(0, 1)}
    </button>
  )
}

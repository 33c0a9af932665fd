import { quit_group_names, quit_groups, quitApi } from '@campus/people/contract'
import type { QuitYear } from '@campus/people/contract'
import { call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

const most_years = 12
const bar_px = 32

/** How many left in each year, by the way they left; a column filters the list. */
export function YearsChart({ year, choose }: { year: string | undefined; choose: (year: string | undefined) => void }): ReactNode {
  const query = useQuery({ queryKey: [quitApi.years.call], queryFn: ({ signal }) => call(quitApi.years, {}, { signal, quiet: true }) })
  if (!query.data) return <div className="quit-chart"><PartState query={query} rows={2} /></div>
  const years = query.data.list.slice(-most_years)
  if (years.length === 0) return null
  const highest = Math.max(...years.map(totalOf))
  return (
    <section className="quit-chart" aria-label="各年离校人数">
      <div className="quit-years">
        <ul>
          {years.map(one => (
            <li key={one.year}>
              <button type="button" aria-pressed={one.year === year} onClick={() => choose(one.year === year ? undefined : one.year)}>
                <b>{totalOf(one)}</b>
                <span className="quit-bar">{quit_groups.map(group => <i key={group} data-group={group} ref={height(one[group] / highest)} />)}</span>
                <span>{one.year}</span>
                <span className="kit-hidden">{spoken(one)}</span>
              </button>
            </li>
          ))}
        </ul>
        <Sums years={year === undefined ? years : years.filter(one => one.year === year)} of={year} />
      </div>
    </section>
  )
}

/** What the columns come to, of the chosen year or of all. */
function Sums({ years, of }: { years: readonly QuitYear[]; of: string | undefined }): ReactNode {
  const sums = [['合计', years.map(totalOf)] as const, ...quit_groups.map(group => [quit_group_names[group], years.map(one => one[group])] as const)]
  return (
    <div className="quit-sums">
      <dl aria-label={of === undefined ? '各年合计' : `${of}年合计`}>{sums.map(([label, counts]) => <div key={label}><dt>{label}</dt><dd>{counts.reduce((sum, count) => sum + count, 0)}<small>人</small></dd></div>)}</dl>
      <p className="quit-legend">
        {quit_groups.map(group => <span key={group}><i data-group={group} />{quit_group_names[group]}</span>)}
        {of === undefined ? '点左侧的年份，只看该年离校的人员。' : `正在查看 ${of} 年，再点一次看全部。`}
      </p>
    </div>
  )
}

function totalOf({ grad, out, other }: QuitYear): number {
  return grad + out + other
}

function spoken(one: QuitYear): string {
  return `年 ${quit_groups.map(group => `${quit_group_names[group]}${one[group]}人`).join('，')}`
}

/** Sets the height by the style object: the page's policy allows no style attributes. */
function height(part: number) {
  return (node: HTMLElement | null) => {
    if (node) node.style.height = `${Math.round(part * bar_px)}px`
  }
}

import { quit_group_names, quit_groups, quitApi } from '@campus/people/contract'
import { Chart } from '@kit/web/chart'
import { Loaded, useCall } from '@kit/web/part'
import type { ReactNode } from 'react'

const most_years = 12
const height = 132

/** How many left in each year, by the way they left; a column filters the list. */
export function YearsChart({ year, choose }: { year: string | undefined; choose: (year: string | undefined) => void }): ReactNode {
  const query = useCall(quitApi.years, {})
  return (
    <Loaded query={query} rows={2}>
      {({ list }) => {
        const years = list.slice(-most_years)
        const series = quit_groups.map(group => ({ name: quit_group_names[group], values: years.map(one => one[group]) }))
        const data = { kind: 'bar' as const, stacked: true, unit: '人', categories: years.map(one => one.year), series }
        return years.length > 0 && <section className="quit-chart"><Chart title="各年离校人数" data={data} height={height} onPick={({ category }) => choose(category === year ? undefined : category)} /></section>
      }}
    </Loaded>
  )
}

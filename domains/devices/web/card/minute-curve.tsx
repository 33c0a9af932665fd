import { useId } from 'react'
import type { ReactNode } from 'react'

const [width, height, gap] = [240, 36, 1]

/** How many readings there were in each of the last minutes, as bars. */
export function MinuteCurve({ counts }: { counts: readonly number[] }): ReactNode {
  const title = useId()
  const most = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <figure className="card-curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={title}>
        <title id={title}>{`最近${counts.length}分钟共${total}次`}</title>
        {counts.map((count, at) => {
          const tall = count === 0 ? 1 : Math.max(2, (count / most) * height)
          return <rect key={counts.length - at} x={at * step} y={height - tall} width={step - gap} height={tall} />
        })}
      </svg>
      <figcaption>{`最近${counts.length}分钟 ${total} 次`}</figcaption>
    </figure>
  )
}

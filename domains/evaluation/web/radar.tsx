import type { ReactNode } from 'react'

type Axis = { dimension: string; milli: number; class_milli: number }
const [size, radius, milli] = [260, 88, 1000] as const
const rings = [0.25, 0.5, 0.75, 1] as const

/** Worth of a pupil by dimension against the mean of his class; its table stands beside it for those who read it aloud. */
export function Radar({ axes }: { axes: readonly Axis[] }): ReactNode {
  const most = Math.max(milli, ...axes.flatMap(one => [one.milli, one.class_milli]))
  const point = (at: number, share: number): string => {
    const angle = (at / axes.length) * 2 * Math.PI - Math.PI / 2
    return `${(size / 2 + Math.cos(angle) * radius * share).toFixed(1)},${(size / 2 + Math.sin(angle) * radius * share).toFixed(1)}`
  }
  const line = (of: (axis: Axis) => number) => axes.map((axis, at) => point(at, Math.max(0, of(axis)) / most)).join(' ')
  const words = axes.map(one => `${one.dimension}${one.milli / milli}分，班级平均${one.class_milli / milli}分`).join('；')
  return (
    <svg className="star-radar" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`雷达图：${words}`}>
      {rings.map(share => (
        <polygon key={share} className="star-radar-ring" points={axes.map((_, at) => point(at, share)).join(' ')} />
      ))}
      <polygon className="star-radar-class" points={line(axis => axis.class_milli)} />
      <polygon className="star-radar-own" points={line(axis => axis.milli)} />
      {axes.map((axis, at) => {
        const [x, y] = point(at, 1.22).split(',')
        return (
          <text key={axis.dimension} x={x} y={y} textAnchor="middle" dominantBaseline="middle">
            {axis.dimension}
          </text>
        )
      })}
    </svg>
  )
}

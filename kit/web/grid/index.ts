import './grid.css'

export { CalendarGrid } from './calendar-grid.tsx'
export { PaintGrid } from './paint-grid.tsx'
export type { GridLine, PaintGridProps } from './paint-grid.tsx'
export { WeekGrid } from './week-grid.tsx'
export type { WeekLine } from './week-grid.tsx'

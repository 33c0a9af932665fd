import './insight.css'

export { BusBoard } from './board/bus-board.tsx'
export { CusBoard } from './board/cus-board.tsx'
export { insightCardViews } from './card-views.ts'
export { Morning } from './morning.tsx'
export { inWords } from './words.ts'

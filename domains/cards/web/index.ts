export { cardsPages } from './routes.ts'

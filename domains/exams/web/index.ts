export { examsPages } from './routes.ts'

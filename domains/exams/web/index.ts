export { connectExams } from './ports.ts'
export { examsPages } from './routes.ts'

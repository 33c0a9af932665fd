export { facesPages } from './routes.ts'

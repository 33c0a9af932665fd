import './audit.css'

export { auditPages } from './routes.ts'

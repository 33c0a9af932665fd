import './people.css'

export { peoplePages } from './routes.ts'

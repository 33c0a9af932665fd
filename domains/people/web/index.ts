import './people.css'

export { PeopleOverview } from './overview/on-demand.tsx'
export { peoplePages } from './routes.ts'

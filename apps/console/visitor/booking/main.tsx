import { createRoot } from 'react-dom/client'
import { BookingPage } from './booking-page.tsx'
import '../visitor.css'
import './booking.css'

/** Mounts `/VisitorBook?key=…`: a visitor books for himself, or sees his own visit; no shell, no session. */
export function mountBooking(root: HTMLElement): void {
  const key = new URLSearchParams(window.location.search).get('key')
  document.title = '访客预约'
  createRoot(root).render(<BookingPage token={key ?? ''} />)
}

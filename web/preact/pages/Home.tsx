import type { PageProps } from '../../contract/pages.ts'
import { path } from '../../contract/paths.ts'
import { home } from '../../contract/words/home.ts'
import { Brand } from '../ui/brand.tsx'
import { WaysIn } from '../ui/auth-links.tsx'

export function Home({ auth }: PageProps<'Home'>) {
  return (
    <>
      <header class="bar">
        <Brand to={path('home')} />
        <WaysIn user={auth.user} />
      </header>
      <main id="main" tabIndex={-1}>
        <section class="hero">
          <h1>{home.heading}</h1>
          <p class="lead">{home.lead}</p>
          <WaysIn user={auth.user} create="primary" />
          <Poster />
        </section>
        <ul class="facts">
          {home.facts.map(([title, text]) => (
            <li key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </main>
    </>
  )
}

/** The mark as a drawing of its own: the keyhole, and what spreads from it. */
function Poster() {
  return (
    <svg
      class="poster"
      width="240"
      height="260"
      viewBox="0 0 480 520"
      preserveAspectRatio="xMidYMax"
      aria-hidden="true"
    >
      <g class="rings">
        {[120, 170, 220, 270, 320, 370, 420].map((radius) => (
          <circle key={radius} cx="240" cy="200" r={radius} stroke-opacity={1.25 - radius / 400} />
        ))}
      </g>
      <path d="M240 116a84 84 0 0 0-46 154L152 520h176l-42-250a84 84 0 0 0-46-154Z" />
    </svg>
  )
}

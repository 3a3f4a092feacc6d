import type { PageProps } from '../../contract/pages.ts'
import { mark } from '../../brand/mark.ts'
import { paths } from '../../contract/paths.ts'
import { markLarge, rings } from '../../contract/view/poster.ts'
import { home } from '#words/home'
import { Brand } from '../ui/brand.tsx'
import { LoginLinks } from '../ui/login-links.tsx'

export function Home({ auth }: PageProps<'Home'>) {
  return (
    <>
      <header class="bar">
        <Brand to={paths.home} />
        <LoginLinks user={auth.user} />
      </header>
      <main id="main" tabIndex={-1}>
        <section class="hero">
          <h1>{home.heading}</h1>
          <p class="lead">{home.lead}</p>
          <LoginLinks user={auth.user} variant="primary" />
          <Poster />
        </section>
        <ul class="points">
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
        {rings.map(({ radius, opacity }) => (
          <circle key={radius} cx="240" cy="260" r={radius} stroke-opacity={opacity} />
        ))}
      </g>
      <path d={mark} transform={markLarge} />
    </svg>
  )
}

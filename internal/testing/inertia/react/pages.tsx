/** @jsxImportSource react */
import { Form, Link, router, usePage } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { type FormState, fields, summaryOf } from '../begin.ts'

export function Register() {
  return (
    <Any>
      <Form action="/register" method="post" validationTimeout={100}>
        {({ errors, validate }: FormState) => (
          <>
            {fields.map((name) => (
              <p key={name}>
                <input
                  name={name}
                  aria-label={name}
                  onBlur={() => name === 'email' && validate(name)}
                />{' '}
                {errors[name]}
              </p>
            ))}
            <button>Register</button>
          </>
        )}
      </Form>
    </Any>
  )
}

export function Profile() {
  const { user } = summaryOf(usePage())
  return (
    <Any>
      <Form action="/settings/profile" method="patch">
        <input name="name" aria-label="name" defaultValue={user?.name} />
        <input name="email" aria-label="email" defaultValue={user?.email} />
        <button>Save</button>
      </Form>
      <Form action="/settings/profile/photo" method="post">
        <input type="file" name="photo" aria-label="photo" />
        <button>Upload</button>
      </Form>
      <Link href="/settings/profile/photo" method="delete" as="button">
        Remove
      </Link>
      <Link href="/language" method="put" data={{ language: 'en' }} as="button">
        English
      </Link>
      <button type="button" onClick={() => router.reload({ only: ['signal'] })}>
        Reload
      </button>
    </Any>
  )
}

export function Any({ children }: { readonly children?: ReactNode }) {
  const { component, user, message, names, status } = summaryOf(usePage())
  return (
    <>
      <h1>{component}</h1>
      <p id="user">{user?.name ?? 'nobody'}</p>
      {user?.photo && <img alt="" src={user.photo} />}
      <output>{message}</output>
      <p id="props">{names}</p>
      <p id="status">{status}</p>
      <nav>
        <Link href="/">Home</Link> <Link href="/register">Register</Link>{' '}
        <Link href="/settings/profile">Profile</Link>{' '}
        <Link href="/notifications" prefetch>
          Notifications
        </Link>{' '}
        <Link href="/nowhere">Nowhere</Link>{' '}
        <Link href="/up" method="post" as="button">
          Elsewhere
        </Link>{' '}
        <Link href="/logout" method="post" as="button">
          Log out
        </Link>
      </nav>
      {children}
    </>
  )
}

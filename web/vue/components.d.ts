// For a compiler that reads no templates: what they take is checked by vue-tsc, which does.
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}

import { develop, isServerNamed } from './on-server.ts'

process.exitCode = isServerNamed() ? await develop('mysql') : askForServer()

/** Prints how to start a server, since no npm package provides one. */
function askForServer(): number {
  console.error(`There is no MySQL: bring one up, such as by these two commands, and start again.

  docker run -d -p 127.0.0.1:3306:3306 -e MYSQL_DATABASE=accounts -e MYSQL_ROOT_PASSWORD=root mysql:8.4
  echo 'DB_URL=mysql://root:root@127.0.0.1/accounts' >> .env`)
  return 1
}

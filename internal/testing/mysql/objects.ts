import type { Migration } from '../../db/migrate.ts'

/**
 * A migration that creates a view of the accounts' names, and a trigger that records new ones in the table `changes`.
 */
export const objects: Migration = {
  name: '29991231000000_objects.sql',
  sql: `
    CREATE TABLE changes (
      id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
      name VARCHAR(255) NOT NULL
    );
    CREATE VIEW names AS SELECT name FROM users;
    CREATE TRIGGER note_users AFTER INSERT ON users FOR EACH ROW
      INSERT INTO changes (name) VALUES (NEW.name);`,
}

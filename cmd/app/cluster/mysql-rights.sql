GRANT ALL ON `accounts\_%`.* TO accounts@'%';

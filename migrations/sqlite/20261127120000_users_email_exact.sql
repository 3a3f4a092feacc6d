-- Nothing here, where emails were compared exactly from the first: another database makes up for what it did not.
SELECT 1;

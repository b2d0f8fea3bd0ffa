-- Databases beside Temporal's own, which makes its two by itself. Read once, when PostgreSQL's volume is new.
CREATE DATABASE iq;
CREATE DATABASE langfuse;

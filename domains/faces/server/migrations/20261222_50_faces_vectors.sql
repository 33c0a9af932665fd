-- Vectors lie under the key of their school from now on (40 R39). Those under the key of the installation cannot be sealed anew in SQL:
-- they are dropped, and a face without one is compared as soon as a detector has run over it again (40 R30).
delete from face_template;
